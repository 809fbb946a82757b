#!/usr/bin/env bash
# Prints the path of Schemathesis' command; installs it from PyPI into the cache if it isn't there.
set -euo pipefail
version=4.32.5
home="${CLOUDINFRA_CACHE:-$HOME/.cache/pulumi-cloudinfra}/schemathesis-$version"
if [[ ! -x $home/bin/st || ! -e $home/.complete ]]; then
  command -v python3 >/dev/null || {
    echo 'fuzz: Schemathesis needs Python 3.10 or later; install python3 with its module venv' >&2
    exit 1
  }
  echo "fuzz: Schemathesis $version: installing it into $home" >&2
  rm -rf "$home"
  python3 -m venv "$home" >&2
  "$home/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version" >&2
  touch "$home/.complete"
fi
echo "$home/bin/st"
