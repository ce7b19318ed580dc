#!/usr/bin/env bash
# Runs the tests. First four mocha processes at the same time: most tests wait for processes that they start, so one mocha
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

background() { # OUTPUT GLOB…: runs tests in the background
  local output=$1
  shift
  mocha "$@" >"$outputs/$output" 2>&1 &
  pids[output]=$!
}
foreground() { # OUTPUT GLOB…: runs tests, then waits for those in the background and prints their output
  local output=$1
  shift
  mocha "$@" 2>&1 | tee "$outputs/$output" || failures=1
  for output in "${!pids[@]}"; do
    wait "${pids[$output]}" || failures=1
    cat "$outputs/$output"
  done
  pids=()
}
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM

# Suites with deployments of their own come first in each process: those that suites share run until its end.
background 1 'services/{gateway,shared}/**/*.test.ts'
background 2 'services/!(gateway|shared)/**/*.test.ts' 'test/{docs,metrics,records,startup,upgrade}/**/*.test.ts' 'test/browser/*.test.ts'
background 3 '{packages,scripts}/**/*.test.ts' 'test/{back-ends,fuzz}/**/*.test.ts'
foreground 4 'test/contract/@(overload-and-limits|persistence|privacy|services-down|settings|tls).test.ts' \
  'test/!(attacks|back-ends|browser|compose|docs|faults|full|fuzz|kubernetes|metrics|operations|privacy|records|speed|startup|upgrade)/**/*.test.ts'
background 5 'test/{attacks,operations,privacy}/**/!(rotate-signing-key).test.ts'
# The signing key is rotated on the cluster that the faults share.
foreground 6 'test/speed/**/*.test.ts' test/faults/start-order.test.ts 'test/faults/**/*.test.ts' test/operations/rotate-signing-key.test.ts
if [ "$failures" != 0 ]; then
  echo "What failed:"
  for output in "$outputs"/[1-6]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
