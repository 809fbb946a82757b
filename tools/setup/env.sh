# The environment of this repository. Source it (`. tools/setup/env.sh`) or start one command in it
# (`tools/setup/run pulumi version`). It puts Node and the Pulumi CLI first on PATH and keeps Pulumi's home and state
# in our cache, so that your own stacks and logins stay untouched. It installs nothing; `make setup` does.

CLOUDINFRA_NODE=24.21.0       # installed if `node` on PATH is older than 22.19
CLOUDINFRA_PULUMI=3.265.0     # downloaded: the newest version whose npm package is available everywhere
CLOUDINFRA_PULUMI_GO=3.259.0  # built: the newest version whose Go modules are available everywhere (tools/engine)
CLOUDINFRA_KUBERNETES=4.25.0  # the plugin of @pulumi/kubernetes, as in package.json
CLOUDINFRA_KUBERNETES_GO=v4.0.0-20260115033456-f47bc2d6f199 # its Go module, which has no other versions
CLOUDINFRA_PULUMI_MIN=3.216.0 # the first version that stores the inputs returned by a dynamic provider's read (pulumi/pulumi#21315)

# bash and zsh provide the path of the sourced file; in a plain sh `$0` is a script in this folder.
CLOUDINFRA_ROOT=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE:-$0}")/../.." && pwd)
export CLOUDINFRA_CACHE="${CLOUDINFRA_CACHE:-${HOME:?set HOME or CLOUDINFRA_CACHE}/.cache/pulumi-cloudinfra}"

# Pulumi's SDK generators (tools/engine/sdks), built by `tools/setup/setup.sh languages`.
export CLOUDINFRA_SDKS="$CLOUDINFRA_CACHE/sdks-$(cat "$CLOUDINFRA_ROOT"/tools/engine/sdks/* | cksum | cut -d ' ' -f 1)/sdks"

# Succeeds if version $1 (3.216.0, v3.216.0-dev …) is $2 or newer.
cloudinfra_at_least() {
  awk -v have="${1#v}" -v want="$2" 'BEGIN {
    split(have, h, /[.+-]/); split(want, w, /[.]/)
    for (i = 1; i <= 3; i++) if (h[i] + 0 != w[i] + 0) exit !(h[i] + 0 > w[i] + 0)
  }'
}

cloudinfra_node_fits() { cloudinfra_at_least "$(node --version 2>/dev/null)" 22.19.0; }

# Prints the folder of the first usable CLI: PULUMI_CLI, PATH, cache. A usable CLI includes the language
# hosts of the official distribution, without which `pulumi` cannot run a TypeScript program.
cloudinfra_pulumi_dir() {
  for cloudinfra_cli in "${PULUMI_CLI:-}" "$(command -v pulumi)" \
    "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI/bin/pulumi" "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI_GO/bin/pulumi"; do
    [ -x "$cloudinfra_cli" ] || continue
    cloudinfra_dir=$(dirname -- "$cloudinfra_cli")
    (PATH=$cloudinfra_dir:$PATH && command -v pulumi-language-nodejs && command -v pulumi-resource-pulumi-nodejs) >/dev/null || continue
    case $cloudinfra_dir in
      "$CLOUDINFRA_CACHE"/*) ;; # CLIs in the cache have a known version; running them to find it out would take 0.2 s
      *) cloudinfra_at_least "$("$cloudinfra_cli" version 2>/dev/null)" "$CLOUDINFRA_PULUMI_MIN" || continue ;;
    esac
    printf '%s\n' "$cloudinfra_dir"
    return
  done
  return 1
}

cloudinfra_node_fits || PATH=$CLOUDINFRA_CACHE/node-$CLOUDINFRA_NODE/node_modules/node/bin:$PATH
if cloudinfra_dir=$(cloudinfra_pulumi_dir); then
  case :$PATH in :"$cloudinfra_dir":*) ;; *) PATH=$cloudinfra_dir:$PATH ;; esac
fi
export PATH
export TMPDIR="$CLOUDINFRA_CACHE/tmp" # Node and Pulumi leave temporary files there, which the set-up removes
export PULUMI_HOME="$CLOUDINFRA_CACHE/pulumi-home"
export PULUMI_BACKEND_URL="file://$CLOUDINFRA_CACHE/state"
export PULUMI_CONFIG_PASSPHRASE=cloudinfra # encrypts only secrets of tests and demos
export PULUMI_SKIP_UPDATE_CHECK=true
