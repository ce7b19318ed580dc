#!/bin/sh
# Runs the tests, as two mocha processes at once: most tests wait for processes that they start, and one mocha alone
# leaves a core idle. The second one's output is printed when both have ended.
set -u
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
others=$(mktemp)
trap 'rm -f "$others"' EXIT

mocha 'services/**/*.test.ts' 'scripts/**/*.test.ts' 'test/!(compose|contract|faults|full)/**/*.test.ts' >"$others" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null' INT TERM
mocha 'test/{contract,faults}/**/*.test.ts'
first=$?
wait "$pid"
second=$?
cat "$others"
[ "$first" = 0 ] && [ "$second" = 0 ]
