#!/usr/bin/env bash
# Installs what the tests need, and checks the code and runs the tests. First the checks, at low priority, and five mocha
# processes at the same time: most tests wait for processes that they start, so one mocha leaves a core idle. Four take
# about as long as each other, the one with the browser half as long. Then, with two of them, the suites that break, attack
# or change something under load: on a busy machine they would miss the deadlines that they assert. The output of processes
# in the background is printed when they have ended. What failed is printed again at the very end, where the last lines of
# a long output are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

background() { # OUTPUT COMMAND…: runs a command in the background
  local output=$1
  shift
  "$@" >"$outputs/$output" 2>&1 &
  pids[$output]=$!
}
foreground() { # OUTPUT COMMAND…: runs a command, then waits for those in the background and prints their output
  local output=$1
  shift
  "$@" 2>&1 | tee "$outputs/$output" || failures=1
  for output in "${!pids[@]}"; do
    wait "${pids[$output]}" || failures=1
    cat "$outputs/$output"
  done
  pids=()
}
declare -A pids=()
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM

background lint nice npm run --silent lint
scripts/install-test-servers.sh chromium kubectl || { kill "${pids[@]}"; exit 1; }

# Suites with their own deployments come first in each process: those that suites share run until its end.
background 1 mocha 'services/gateway/**/*.test.ts' 'test/records/**/*.test.ts'
background 2 mocha 'services/!(gateway)/**/*.test.ts' 'test/{docs,metrics,upgrade}/**/*.test.ts'
background 3 mocha '{packages,scripts}/**/*.test.ts' 'test/{back-ends,fuzz,startup}/**/*.test.ts'
background 4 mocha 'test/operations/!(geo-data|log-budget|rotate-signing-key).test.ts' 'test/browser/*.test.ts'
foreground 5 mocha 'test/contract/@(overload-and-limits|persistence|privacy|services-down|settings|tls).test.ts' \
  'test/!(attacks|back-ends|browser|compose|docs|faults|full|fuzz|kubernetes|metrics|operations|privacy|records|speed|startup|upgrade)/**/*.test.ts'
background 6 mocha 'test/attacks/**/*.test.ts' 'test/operations/@(geo-data|log-budget).test.ts'
# The signing key is rotated on the cluster that the faults share.
foreground 7 mocha 'test/{privacy,speed}/**/*.test.ts' test/faults/start-order.test.ts 'test/faults/**/*.test.ts' test/operations/rotate-signing-key.test.ts
if [ "$failures" != 0 ]; then
  echo "What failed:"
  cat "$outputs/lint"
  for output in "$outputs"/[1-7]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
