#!/usr/bin/env bash
# Runs the tests. First three mocha processes at the same time: most tests wait for processes that they start, so one mocha
# leaves a core idle. The output of those in the background is printed when all have ended. Then, alone, the suites that
# break a cluster under a load: on a busy machine they would miss the deadlines that they assert. What failed is printed
# again at the very end, where the last lines of a long output are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

mocha 'services/**/*.test.ts' >"$outputs/1" 2>&1 &
pids=($!)
mocha 'scripts/**/*.test.ts' 'test/{attacks,fuzz}/**/*.test.ts' >"$outputs/2" 2>&1 &
pids+=($!)
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM
mocha 'test/!(attacks|compose|faults|full|fuzz|operations|privacy|speed)/**/*.test.ts' 2>&1 | tee "$outputs/3" || failures=1
for pid in "${pids[@]}"; do wait "$pid" || failures=1; done
trap - INT TERM
cat "$outputs/1" "$outputs/2"
mocha 'test/{faults,operations,privacy,speed}/**/*.test.ts' 2>&1 | tee "$outputs/4" || failures=1
if [ "$failures" != 0 ]; then
  echo "What failed:"
  for output in "$outputs"/[1234]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
