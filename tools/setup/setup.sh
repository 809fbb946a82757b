#!/bin/sh
# Installs the npm packages, and Node and the Pulumi CLI if they are missing or too old; npm must exist. Each step first
# checks whether it is needed, so that a second run takes less than a second and needs no network.
set -eu
. "$(dirname -- "$0")/env.sh"
cd "$CLOUDINFRA_ROOT"

logs=$CLOUDINFRA_CACHE/logs
work=$CLOUDINFRA_CACHE/tmp/setup-$$ # tools are built here and then moved, so that an interrupted set-up leaves no incomplete tool
lock=$CLOUDINFRA_CACHE/setup.lock

say() { printf 'set-up: %s\n' "$*"; }
fail() {
  printf 'set-up: %s\n' "$@" >&2
  exit 1
}

# patiently LOG COMMAND… writes the command's output to a log file, and prints a sign of progress every 15 seconds.
patiently() {
  log=$logs/$1
  shift
  (
    seconds=0
    while sleep 15 >/dev/null 2>&1 && kill -0 $$; do # without its output, because a sleep that is still running would keep the pipe open
      seconds=$((seconds + 15))
      say "  … $seconds s $(tail -n 1 "$log" | cut -c 1-90)"
    done
  ) &
  heartbeat=$!
  rc=0
  "$@" >"$log" 2>&1 || rc=$?
  quiet
  return $rc
}
quiet() {
  [ -z "${heartbeat:-}" ] || kill "$heartbeat" 2>/dev/null || true
  heartbeat=
}

# The lock is a symbolic link to the process id of its owner. Links are created atomically, and a stale one is detected.
one_at_a_time() {
  told=
  until ln -s $$ "$lock" 2>/dev/null; do
    owner=$(readlink "$lock" || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -f "$lock"
    else
      [ -n "$told" ] || say "waiting for another set-up (process $owner)"
      told=yes
      sleep 1
    fi
  done
}

node_step() {
  cloudinfra_node_fits && return
  command -v npm >/dev/null || fail "Node 22.19 or later and npm are required, but npm was not found." "Install Node 22.19 or later, which includes npm: https://nodejs.org"
  say "Node $CLOUDINFRA_NODE: installing it with npm (installed version: $(node --version 2>/dev/null || echo none))"
  patiently node.log npm install --prefix "$work/node" --ignore-scripts=false --no-audit --no-fund "node@$CLOUDINFRA_NODE" &&
    "$work/node/node_modules/node/bin/node" --version >/dev/null ||
    fail "npm install node@$CLOUDINFRA_NODE failed: $(tail -n 3 "$logs/node.log")" \
      "Install Node 22.19 or later (https://nodejs.org) or connect to the npm registry, then run the command again."
  rm -rf "$CLOUDINFRA_CACHE/node-$CLOUDINFRA_NODE"
  mv "$work/node" "$CLOUDINFRA_CACHE/node-$CLOUDINFRA_NODE"
}

packages_step() {
  stamp=node_modules/.cloudinfra-setup
  wanted="$(cksum <package-lock.json) $(uname -sm)" # some packages contain binaries for one operating system
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  say "npm packages: npm ci"
  patiently npm.log npm ci --prefer-offline --no-audit --no-fund ||
    fail "npm ci failed: $(grep -m 4 . "$logs/npm.log")" "npm ci requires the npm registry, or npm's cache from an earlier run. The full output is in $logs/npm.log"
  printf '%s\n' "$wanted" >"$stamp"
}

# The examples find this package and all others in the node_modules of parent folders. An example cannot have a
# node_modules of its own, because `pulumi new` fails at the links in it.
examples_step() {
  [ -e examples/node_modules/pulumi-cloudinfra ] || { mkdir -p examples/node_modules && ln -sfn ../.. examples/node_modules/pulumi-cloudinfra; }
  rm -f examples/*/node_modules/pulumi-cloudinfra
  rmdir examples/*/node_modules 2>/dev/null || true
}

pulumi_step() {
  if dir=$(cloudinfra_pulumi_dir); then
    [ -z "${PULUMI_CLI:-}" ] || [ "$dir" = "$(dirname -- "$PULUMI_CLI")" ] ||
      fail "PULUMI_CLI=$PULUMI_CLI is not a Pulumi CLI $CLOUDINFRA_PULUMI_MIN or later with its language hosts." "Set PULUMI_CLI to such a CLI, or unset it."
    return
  fi
  mkdir -p "$work/pulumi"
  say "Pulumi CLI: not found; downloading version $CLOUDINFRA_PULUMI"
  if patiently pulumi-npx.log \
    env PULUMI_HOME="$work/home" npm_config_fetch_retries=0 npx -y "pulumi@$CLOUDINFRA_PULUMI" version; then
    mv "$work/home/versions/$CLOUDINFRA_PULUMI" "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI"
    return
  fi
  say "Pulumi CLI $CLOUDINFRA_PULUMI: the download failed ($(tail -n 1 "$logs/pulumi-npx.log"))"
  if command -v go >/dev/null; then
    say "Pulumi CLI $CLOUDINFRA_PULUMI_GO: building it from its Go module, which takes 4 to 8 minutes the first time"
    if build_pulumi "$work/pulumi"; then
      mv "$work/pulumi" "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI_GO"
      return
    fi
    built="failed: $(grep -v '^go: downloading' "$log" | tail -n 3) ($log)"
  fi
  fail "the Pulumi CLI was not found and could not be installed. Tried:" \
    "  PULUMI_CLI: ${PULUMI_CLI:-not set}" \
    "  PATH: $(command -v pulumi || echo not found) (required: $CLOUDINFRA_PULUMI_MIN or later, with pulumi-language-nodejs)" \
    "  cache: nothing in $CLOUDINFRA_CACHE" \
    "  npx pulumi@$CLOUDINFRA_PULUMI: $(tail -n 1 "$logs/pulumi-npx.log")" \
    "  go build: ${built:-go is not on PATH}" \
    "Install the Pulumi CLI (https://www.pulumi.com/docs/install) or Go 1.25.11 or later (https://go.dev/dl), or set PULUMI_CLI."
}

# build_pulumi FOLDER: builds the two binaries, and copies the launcher of dynamic providers next to them.
build_pulumi() {
  mkdir -p "$1/bin"
  go_build cli "$1/bin/pulumi" github.com/pulumi/pulumi/pkg/v3/cmd/pulumi &&
    node_host "$1/bin" || return
  cp tools/setup/pulumi-resource-pulumi-nodejs "$1/bin"
}

# node_host FOLDER: builds Node's language host with the addition in tools/engine/nodejs/policy-packs, without which the
# host cannot run policy packs.
node_host() {
  node_host_source >"$1/.node-host"
  rm -rf "$work/go-nodejs" && cp -R tools/engine/nodejs "$work/go-nodejs" || return
  host=$(cd "$work/go-nodejs" && GOFLAGS=-mod=mod go mod download -json github.com/pulumi/pulumi/sdk/v3 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/nodejs/cmd/pulumi-language-nodejs
  cp "$host"/proxy*.go "$work/go-nodejs/policy-packs" &&
    sed 's/return errors.New("not supported")/return runPolicyPack(req, server)/' "$host/main.go" >"$work/go-nodejs/policy-packs/main.go" &&
    go_build nodejs "$1/pulumi-language-nodejs" ./policy-packs
}
node_host_source() { cat tools/engine/nodejs/go.* tools/engine/nodejs/policy-packs/* | cksum; }

# Builds Node's language host again if its source has changed since the CLI was built.
node_host_step() {
  bin=$(cloudinfra_pulumi_dir)
  [ "$bin" = "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI_GO/bin" ] || return 0
  [ "$(cat "$bin/.node-host" 2>/dev/null)" != "$(node_host_source)" ] || return 0
  say "Pulumi's Node host: building it from its Go module, which takes 1 to 2 minutes the first time"
  mkdir -p "$work/node-host"
  if node_host "$work/node-host"; then
    mv "$work/node-host/pulumi-language-nodejs" "$work/node-host/.node-host" "$bin"
  else
    say "Pulumi's Node host: the build failed, so policy packs cannot run ($logs/pulumi-go-nodejs.log)"
  fi
}

# Builds the YAML host for a CLI that was built, because the tests run YAML programs too. An official CLI contains it.
yaml_host_step() {
  bin=$(cloudinfra_pulumi_dir)
  [ "$bin" = "$CLOUDINFRA_CACHE/pulumi-$CLOUDINFRA_PULUMI_GO/bin" ] || return 0
  language_host yaml || say "Pulumi's YAML host: the build failed, so YAML programs are not tested ($log)"
}

# language_host LANGUAGE: builds a language host unless the CLI has it.
language_host() {
  [ ! -x "$bin/pulumi-language-$1" ] || return 0
  say "Pulumi's $1 host: building it from its Go module, which takes 1 to 2 minutes the first time"
  "$1_host" "$work/$1" && mv "$work/$1"/* "$bin"
}

# Builds the other language hosts that an official CLI contains, and Pulumi's SDK generators.
languages_step() {
  bin=$(cloudinfra_pulumi_dir)
  for host in python yaml go; do
    language_host "$host" || fail "go build failed: $(tail -n 3 "$log") ($log)" "Install an official Pulumi CLI, or Go 1.25.11 or later."
  done
  kubernetes_plugin
  [ -x "$CLOUDINFRA_SDKS" ] && return
  say "Pulumi's SDK generators: building them from their Go modules, which takes 1 to 2 minutes the first time"
  mkdir -p "$(dirname "$CLOUDINFRA_SDKS")"
  go_build sdks "$work/sdks" . && mv "$work/sdks" "$CLOUDINFRA_SDKS" ||
    fail "go build failed: $(tail -n 3 "$log") ($log)" "Install Go 1.25.11 or later: https://go.dev/dl"
}

# The plugin for the example `kubernetes`: a download, or built from its Go module. The build takes 10 minutes; if it fails,
# the tests that need the plugin are skipped. Its schema is in the module, but the copy that is embedded is not.
kubernetes_plugin() {
  plugin=$PULUMI_HOME/plugins/resource-kubernetes-v$CLOUDINFRA_KUBERNETES
  [ ! -x "$plugin/pulumi-resource-kubernetes" ] || return 0
  PATH=$bin:$PATH patiently kubernetes.log pulumi plugin install resource kubernetes "$CLOUDINFRA_KUBERNETES" && return
  say "Pulumi's Kubernetes plugin: the download failed; building it from its Go module, which takes 10 minutes the first time"
  module=github.com/pulumi/pulumi-kubernetes/provider/v4
  main=$work/go-kubernetes/cmd/pulumi-resource-kubernetes
  mkdir -p "$work/kubernetes" &&
    cp -R "$(cd "$work" && go mod download -json "$module@$CLOUDINFRA_KUBERNETES_GO" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')" "$work/go-kubernetes" &&
    chmod -R u+w "$work/go-kubernetes" &&
    cp "$main/schema.json" "$main/schema-embed.json" &&
    cp "$main/terraform-mapping.json" "$main/terraform-mapping-embed.json" &&
    go mod edit -dropreplace=github.com/pulumi/pulumi-kubernetes/sdk/v4 "$work/go-kubernetes/go.mod" &&
    patiently pulumi-go-kubernetes.log env GOWORK=off GOFLAGS=-mod=mod CGO_ENABLED=0 go build -C "$work/go-kubernetes" -trimpath \
      -ldflags "-s -w -X $module/pkg/version.Version=v$CLOUDINFRA_KUBERNETES" -o "$work/kubernetes/" ./cmd/pulumi-resource-kubernetes &&
    mkdir -p "$PULUMI_HOME/plugins" && mv "$work/kubernetes" "$plugin" ||
    say "Pulumi's Kubernetes plugin: the build failed: $(tail -n 1 "$log")"
}
python_host() {
  go_build nodejs "$1/pulumi-language-python" github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python || return
  module=$(cd "$work/go-nodejs" && GOFLAGS=-mod=mod go list -m -f '{{.Dir}}' github.com/pulumi/pulumi/sdk/v3) || return
  install -m 755 "$module/python/cmd/pulumi-language-python-exec" "$1"
}
go_host() { go_build go "$1/pulumi-language-go" github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go; }
yaml_host() { go_build yaml "$1/pulumi-language-yaml" github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml; }

# go_build MODULE OUTPUT PACKAGE builds in a copy, because `go` may write to go.mod and go.sum. Of the user's settings for
# go, only those of `go env -w` apply, such as a proxy. The counters of go are not written to the user's configuration.
go_build() {
  [ -d "$work/go-$1" ] || cp -R "tools/engine/$1" "$work/go-$1"
  [ "$(uname)" != Linux ] || set -- "$@" "GOENV=${GOENV:-${XDG_CONFIG_HOME:-$HOME/.config}/go/env}" "XDG_CONFIG_HOME=$work/config"
  module=$1 output=$2 package=$3
  shift 3
  patiently "pulumi-go-$module.log" env "$@" GOWORK=off GOFLAGS=-mod=mod CGO_ENABLED=0 \
    go build -C "$work/go-$module" -v -buildvcs=false -o "$output" \
    -ldflags "-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v$CLOUDINFRA_PULUMI_GO" "$package"
}

mkdir -p "$logs" "$work" "$PULUMI_HOME" "$CLOUDINFRA_CACHE/state"
# Deletes what killed runs have left behind. Other processes may delete their own files there at the same time.
find "$CLOUDINFRA_CACHE/tmp" -mindepth 1 -maxdepth 1 -ctime +0 -exec rm -rf {} + 2>/dev/null || true
# Each command of Pulumi writes a log, and looks at all earlier ones: with 19,000 of them, it takes 0.1 s longer.
find "$PULUMI_HOME/logs" -name '*.log' -cmin +60 -delete 2>/dev/null || true
trap 'quiet; rm -rf "$work"; [ "$(readlink "$lock")" != $$ ] || rm -f "$lock"' EXIT
trap 'exit 130' INT TERM
one_at_a_time
node_step
packages_step
examples_step
pulumi_step
node_host_step
yaml_host_step
[ "${1:-}" != languages ] || languages_step
PATH=$(cloudinfra_pulumi_dir):$PATH || fail "the Pulumi CLI in $CLOUDINFRA_CACHE is incomplete. Delete that folder and run the command again."
say "Node $(node --version), Pulumi $(pulumi version)"
