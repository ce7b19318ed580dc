#!/usr/bin/env bash
# Runs the tests. First, three mocha processes run in parallel, because most tests wait for processes that they start. Then
# the suites that break or change a cluster under load run with fewer processes beside them: on a busy machine, they would
# miss the deadlines that they assert. The output of background processes is printed after they exit. Failures are
# printed again at the end.
set -uo pipefail
cd "$(dirname "$0")/.."
# Caches compiled code for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

background() { # OUTPUT GLOB…: runs tests in the background
  local output=$1
  shift
  mocha "$@" >"$outputs/$output" 2>&1 &
  pids+=($!)
}
foreground() { # OUTPUT GLOB…: runs tests, then waits for those in the background
  local output=$1
  shift
  mocha "$@" 2>&1 | tee "$outputs/$output" || failures=1
  for pid in "${pids[@]}"; do wait "$pid" || failures=1; done
  pids=()
}
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM

background 1 'services/**/*.test.ts'
background 2 'scripts/**/*.test.ts' 'test/{attacks,browser,fuzz}/**/*.test.ts'
foreground 3 'test/!(attacks|browser|compose|faults|full|fuzz|operations|privacy|speed)/**/*.test.ts'
cat "$outputs/1" "$outputs/2"
background 4 'test/{operations,privacy}/**/!(rotate-signing-key).test.ts'
# The rotation of the signing key uses the cluster that the faults share.
foreground 5 'test/{faults,speed}/**/*.test.ts' test/operations/rotate-signing-key.test.ts
cat "$outputs/4"
if [ "$failures" != 0 ]; then
  echo "Failures:"
  for output in "$outputs"/[1-5]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
