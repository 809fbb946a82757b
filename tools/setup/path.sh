#!/bin/sh
# Prints the command that puts the copies of Node and Pulumi first on PATH. Prints nothing if they are on PATH already, or
# if the machine has its own.
set -eu
folders=
for tool in pulumi node; do
  used=$(tools/setup/run which "$tool")
  [ "$(command -v "$tool" || true)" = "$used" ] || folders=$folders$(dirname "$used"):
done
# shellcheck disable=SC2016 # $PATH is for the shell of the user.
[ -z "$folders" ] || printf 'To use its copies of Node and Pulumi, run this in each terminal:\nexport PATH="%s$PATH"\n' "$folders"
