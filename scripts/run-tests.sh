#!/usr/bin/env bash
# Runs the tests. First five mocha processes at the same time: most tests wait for processes that they start, so one mocha
# leaves a core idle. Then, with fewer beside them, the suites that break, attack or change something under load: on a
# busy machine they would miss the deadlines that they assert. The output of processes in the background is printed when
# they have ended. What failed is printed again at the very end, where the last lines of a long output are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

background() { # OUTPUT GLOB…: runs tests in the background, at the priority NICE
  local output=$1
  shift
  nice -n "${NICE:-0}" mocha "$@" >"$outputs/$output" 2>&1 &
  pids[output]=$!
}
foreground() { # OUTPUT GLOB…: runs tests
  local output=$1
  shift
  mocha "$@" 2>&1 | tee "$outputs/$output" || failures=1
}
finish() { # OUTPUT…: waits for tests in the background, and prints their output
  local output
  for output; do
    wait "${pids[$output]}" || failures=1
    unset "pids[$output]"
    cat "$outputs/$output"
  done
}
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM

# These mostly wait for pages. They take what the others leave, until the end.
NICE=10 background 1 'test/{browser,console}/*.test.ts'
# Suites with deployments of their own come first in each process: those that suites share run until its end.
background 2 'services/{gateway,shared}/**/*.test.ts'
background 3 'services/!(gateway|shared)/**/*.test.ts' 'test/{docs,metrics,records,startup,upgrade}/**/*.test.ts'
background 4 '{packages,scripts}/**/*.test.ts' 'test/fuzz/**/*.test.ts'
foreground 5 'test/contract/@(overload-and-limits|persistence|privacy|services-down|settings|tls).test.ts' \
  'test/!(attacks|browser|compose|console|docs|faults|full|fuzz|kubernetes|metrics|operations|privacy|records|speed|startup|upgrade)/**/*.test.ts'
finish 2 3 4
background 6 'test/{attacks,operations,privacy}/**/!(rotate-signing-key).test.ts'
# The signing key is rotated on the cluster that the faults share.
foreground 7 'test/speed/**/*.test.ts' test/faults/start-order.test.ts 'test/faults/**/*.test.ts' test/operations/rotate-signing-key.test.ts
finish 6 1
if [ "$failures" != 0 ]; then
  echo "What failed:"
  for output in "$outputs"/[1-7]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
