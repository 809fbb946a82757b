/** The completion scripts by shell. The shell offers files if the command prints no candidates. */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# cloudinfra completion: source <(cloudinfra completion bash)
_cloudinfra() {
  local word=\${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done \\
    < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if ((\${#COMPREPLY[@]} == 1)) && [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
  if ((\${#COMPREPLY[@]} == 0)) && [[ \${COMP_WORDS[COMP_CWORD-1]} =~ ^--(file|output)$ ]]; then
    compopt -o filenames
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _cloudinfra cloudinfra
`,
  zsh: `#compdef cloudinfra
# cloudinfra completion: source <(cloudinfra completion zsh)
_cloudinfra() {
  local -a found
  local line
  if [[ \${words[CURRENT-1]} == --(file|output) ]]; then _files; return; fi
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V cloudinfra found
}
if [[ \${funcstack[1]} == _cloudinfra ]]; then _cloudinfra "$@"; else compdef _cloudinfra cloudinfra; fi
`,
  fish: `# cloudinfra completion: cloudinfra completion fish | source
function __cloudinfra_complete
  set -l words (commandline -opc) (commandline -ct)
  if contains -- $words[-2] --file --output
    __fish_complete_path $words[-1]
  else
    $words[1] __complete -- $words[2..-1] 2>/dev/null
  end
end
complete -c cloudinfra -f -a '(__cloudinfra_complete)'
`,
};
