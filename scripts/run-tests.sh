#!/bin/sh
# Runs the tests. First two mocha processes at once: most tests wait for processes that they start, and one mocha alone
# leaves a core idle; what the one in the background said is printed when both have ended. Then, alone, the suites
# that break a cluster under a load: a busy machine would miss the deadlines whose keeping they assert.
set -u
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

mocha 'services/**/*.test.ts' 'scripts/**/*.test.ts' >"$output" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null; exit 1' INT TERM
mocha 'test/!(compose|faults|full|operations|privacy|speed)/**/*.test.ts' || failures=1
wait "$pid" || failures=1
trap - INT TERM
cat "$output"
mocha 'test/{faults,operations,privacy,speed}/**/*.test.ts' || failures=1
exit "$failures"
