#!/usr/bin/env bash
# Installs what the tests need, and checks the code and runs the tests. First, five at a time, the checks, at low priority, and
# mocha processes: most tests wait for processes that they start, so fewer would leave a core idle. The longest start first,
# so that none runs alone at the end. Then, two at a time, the suites that break, attack or change something
# under load: on a busy machine they would miss the deadlines that they assert. Each output is printed when its process
# has ended. What failed is printed again at the very end, where the last lines of a long output are read.
set -uo pipefail
cd "$(dirname "$0")/.."
# What Node has compiled of our sources, for the hundreds of processes that the tests start.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
failures=0

declare -A running=() # process ID: the name of its output
trap 'kill "${!running[@]}" 2>/dev/null; exit 1' INT TERM

start() { # MAX NAME COMMAND…: runs a command in the background once fewer than MAX are running
  local max=$1 name=$2
  shift 2
  while [ "${#running[@]}" -ge "$max" ]; do end_one; done
  "$@" >"$outputs/$name" 2>&1 &
  running[$!]=$name
}
end_one() { # waits until one of the running commands has ended, and prints its output
  local ended
  wait -n -p ended "${!running[@]}" || failures=1
  cat "$outputs/${running[$ended]}"
  unset "running[$ended]"
}
end_all() { while [ "${#running[@]}" -gt 0 ]; do end_one; done; }

start 1 lint nice npm run --silent lint
tools/install-test-servers.sh chromium kubectl || { kill "${!running[@]}"; exit 1; }

# The first suite runs beside the checks only. Its one-process cluster fills Node's compile cache. Otherwise, each process of the
# first clusters would compile everything and write it on exit, which took several seconds on a busy machine.
mocha test/contract/persistence.test.ts >"$outputs/persistence" 2>&1 || failures=1
cat "$outputs/persistence"

start 5 services mocha 'services/!(gateway|geo-data|shared)/**/*.test.ts'
# Suites that share deployments are in one process, because those run until its end; the last one pauses parts of the cluster.
# `settings` has suites with their own.
start 5 interface mocha \
  'test/!(attacks|back-ends|browser|compose|contract|docs|faults|full|fuzz|kubernetes|metrics|operations|privacy|records|startup|upgrade)/**/*.test.ts' \
  'test/contract/!(overload-and-limits|persistence|privacy|services-down|settings|tls).test.ts' test/contract/services-down.test.ts
start 5 browser mocha 'test/operations/!(log-budget).test.ts' 'test/browser/*.test.ts'
start 5 scripts mocha '{packages,scripts,tools}/**/*.test.ts'
start 5 geo-data mocha 'services/geo-data/**/*.test.ts' 'test/{back-ends,fuzz}/**/*.test.ts'
start 5 shared mocha 'services/shared/**/*.test.ts'
# It waits for a slow connection, and asserts no deadline of its own.
start 5 startup mocha 'test/{docs,metrics,records,startup,upgrade}/**/*.test.ts' test/faults/slow-link.test.ts
start 5 gateway mocha 'services/gateway/src/!(limits)/**/*.test.ts' 'services/gateway/src/*.test.ts'
start 5 limits mocha 'services/gateway/src/limits/**/*.test.ts'
start 5 settings mocha 'test/contract/@(overload-and-limits|privacy|settings|tls).test.ts'
end_all
# Those that share the busy cluster are in one process. The longest start first.
start 2 faults mocha 'test/faults/!(slow-link|start-order).test.ts'
start 2 privacy mocha 'test/privacy/**/*.test.ts' test/operations/log-budget.test.ts
start 2 attacks mocha 'test/attacks/**/*.test.ts'
start 2 order mocha test/faults/start-order.test.ts
end_all
if [ "$failures" != 0 ]; then
  echo "What failed:"
  cat "$outputs/lint"
  for output in "$outputs"/*; do [ "$output" = "$outputs/lint" ] || sed -En '/^[^ ]*  [0-9]+ failing/,$p' "$output"; done
fi
exit "$failures"
