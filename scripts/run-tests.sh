#!/usr/bin/env bash
# Runs the tests. First two mocha processes at once: most tests wait for processes that they start, and one mocha alone
# leaves a core idle; what the one in the background said is printed when both have ended. Then, alone, the suites
# that break a cluster under a load: a busy machine would miss the deadlines whose keeping they assert. What failed is
# told again at the very end, where the last lines of a long output are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

mocha 'services/**/*.test.ts' 'scripts/**/*.test.ts' >"$outputs/1" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null; exit 1' INT TERM
mocha 'test/!(compose|faults|full|operations|privacy|speed)/**/*.test.ts' 2>&1 | tee "$outputs/2" || failures=1
wait "$pid" || failures=1
trap - INT TERM
cat "$outputs/1"
mocha 'test/{faults,operations,privacy,speed}/**/*.test.ts' 2>&1 | tee "$outputs/3" || failures=1
if [ "$failures" != 0 ]; then
  echo "What failed:"
  for output in "$outputs"/[123]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
