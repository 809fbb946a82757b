#!/bin/sh
# Compares the account with the state of a stack: sh drift-report.sh [STACK]
# Prints the differences, and writes report/drift.md and report/drift.html. The exit code is that of `cloudinfra drift`:
# 0 without drift, 2 with drift, 3 if some objects could not be checked, and another one if the check failed.
set -eu
mkdir -p report
# Without --no, npx would look for a package that is not installed in the public registry, and run it with the tokens.
exec npx --no cloudinfra drift --stack "${1:-prod}" --unmanaged \
  --format markdown --format html --format text --out report/drift.md --out report/drift.html
