#!/usr/bin/env bash
# Runs the tests in six mocha processes at the same time: most tests wait for processes that they start, so one mocha
# leaves a core idle. Suites without short deadlines run at a lower priority. The output of processes in the background
# is printed when they have ended. What failed is printed again at the very end, where the last lines of a long output
# are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

background() { # OUTPUT COMMAND…: runs tests in the background
  local output=$1
  shift
  "$@" >"$outputs/$output" 2>&1 &
  pids[output]=$!
}
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; exit 1' INT TERM

background 1 mocha 'services/{gateway,shared}/**/*.test.ts'
background 2 mocha 'services/!(gateway|shared)/**/*.test.ts'
background 3 mocha 'test/!(attacks|browser|compose|faults|full|fuzz|operations|privacy|speed)/**/*.test.ts'
background 4 mocha 'test/{attacks,operations,privacy}/**/!(rotate-signing-key).test.ts'
background 5 nice mocha 'scripts/**/*.test.ts' 'test/{browser,fuzz}/**/*.test.ts'
# The signing key is rotated on the cluster that the faults share.
mocha 'test/{faults,speed}/**/*.test.ts' test/operations/rotate-signing-key.test.ts 2>&1 | tee "$outputs/6" || failures=1
for output in 4 2 3 1 5; do
  wait "${pids[$output]}" || failures=1
  cat "$outputs/$output"
done
if [ "$failures" != 0 ]; then
  echo "What failed:"
  for output in "$outputs"/[1-6]; do sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
