#!/bin/sh
# Previews the program on an emulator, in a copy of the project with a stack of its own.
set -eu
cd "$(dirname -- "$0")"
work=$(mktemp -d)

node_modules/.bin/cloudinfra emulator --port 0 >"$work/emulator" &
emulator=$!
trap 'kill $emulator 2>/dev/null || true; rm -rf "$work"' EXIT
until grep -q ready "$work/emulator"; do
  kill -0 $emulator
  sleep 0.1
done
read -r _ url _ CLOUDINFRA_TOKEN _ <"$work/emulator"
export CLOUDINFRA_TOKEN PULUMI_BACKEND_URL="file://$work" PULUMI_CONFIG_PASSPHRASE=test

cp Pulumi.yaml "$work"
cd "$work"
pulumi stack init test --non-interactive
pulumi config set cloudinfra:url "$url"
pulumi config set region us-east
pulumi config set --secret rootPass Correct-Horse-42
pulumi preview --non-interactive | tee preview
grep -q "+ 4 to create" preview
