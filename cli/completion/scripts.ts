/**
 * The completion scripts by shell, for `cloudinfra` and `npx cloudinfra`. The shell offers files if the command prints
 * no candidates.
 */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# cloudinfra completion: source <(cloudinfra completion bash)
_cloudinfra() {
  local word=\${COMP_WORDS[COMP_CWORD]} line first=1
  local -a run=("\${COMP_WORDS[0]}")
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ \${COMP_WORDS[1]} == cloudinfra ]] && ((COMP_CWORD > 1)) || return 0
    first=2 run=(npx --no-install cloudinfra)
    [[ ! -x node_modules/.bin/cloudinfra ]] || run=(node_modules/.bin/cloudinfra)
  fi
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done \\
    < <("\${run[@]}" __complete -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null)
  if ((\${#COMPREPLY[@]} == 1)) && [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  if ((\${#COMPREPLY[@]} == 0)) && [[ \${COMP_WORDS[COMP_CWORD-1]} =~ ^--(file|output)$ ]]; then
    compopt -o filenames
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _cloudinfra cloudinfra
complete -p npx >/dev/null 2>&1 || complete -o default -F _cloudinfra npx
`,
  zsh: `#compdef cloudinfra
# cloudinfra completion: source <(cloudinfra completion zsh)
_cloudinfra() {
  local -a found run=("\${words[1]}")
  local line
  local -i first=2
  if [[ \${words[1]} == npx ]]; then
    if [[ \${words[2]} != cloudinfra ]] || ((CURRENT < 3)); then _files; return; fi
    first=3 run=(npx --no-install cloudinfra)
    [[ ! -x node_modules/.bin/cloudinfra ]] || run=(node_modules/.bin/cloudinfra)
  fi
  if [[ \${words[CURRENT-1]} == --(file|output) ]]; then _files; return; fi
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${run[@]}" __complete -- "\${(@)words[first,CURRENT]}" 2>/dev/null)
  _describe -V cloudinfra found
}
if [[ \${funcstack[1]} == _cloudinfra ]]; then
  _cloudinfra "$@"
else
  compdef _cloudinfra cloudinfra
  ((\${+_comps[npx]})) || compdef _cloudinfra npx
fi
`,
  fish: `# cloudinfra completion: cloudinfra completion fish | source
function __cloudinfra_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l run $words[1]
  if test $run = npx
    set -e words[1]
    set run npx --no-install cloudinfra
    test -x node_modules/.bin/cloudinfra; and set run node_modules/.bin/cloudinfra
  end
  if contains -- $words[-2] --file --output
    __fish_complete_path $words[-1]
  else
    $run __complete -- $words[2..-1] 2>/dev/null
  end
end
function __cloudinfra_by_npx
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = cloudinfra
end
complete -c cloudinfra -f -a '(__cloudinfra_complete)'
complete -c npx -n __cloudinfra_by_npx -f -a '(__cloudinfra_complete)'
`,
};
