#!/bin/sh
# Runs `make chaos` for several seeds, two at a time, and prints a line per seed: `make chaos SEEDS="1 2 3"`.
# The line of a failed seed contains the path with which `make chaos` repeats only the failed schedule.
set -eu

if [ "${1:-}" = one ]; then
  seed=$2 log=$3/$2.log began=$(date +%s)
  SEED=$seed FIRST=1 NO_COLOR=1 node_modules/.bin/vitest run --project chaos -t "random programs with faults, of seed" >"$log" 2>&1 && passed=1 || passed=0
  took=$(($(date +%s) - began))
  if [ $passed = 1 ]; then
    echo "seed $seed: $SCHEDULES schedules passed in $took s"
    rm "$log"
    exit 0
  fi
  path=$(sed -n 's/.*path: "\([0-9:]*\)".*/\1/p' "$log" | head -n 1)
  why=$(sed -n 's/.*Caused by: //p' "$log" | head -n 1)
  echo "seed $seed: FAILED at path ${path:-unknown} after $took s: ${why:-no schedule failed} (log: $log)
  make chaos SEED=$seed SCHEDULES=1 PATH_OF_FAILURE=$path"
  exit 1
fi

logs=$(mktemp -d)
printf '%s\n' $SEEDS | xargs -P "${PROCESSES:-2}" -I{} "$0" one {} "$logs"
rmdir "$logs"
