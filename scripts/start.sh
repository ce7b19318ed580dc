#!/bin/sh
# Fetches geo data if there is none, then runs the service. npm runs this, so `node` is the installed one.
# Usage: scripts/start.sh PROGRAM [--check]. With arguments, the program starts nothing, so nothing is fetched.
if [ -z "$GEO_DATABASES" ] && [ $# -eq 1 ]; then
  # As process 1 of a container, a shell without a trap ignores SIGTERM.
  trap 'kill $! 2>/dev/null; wait; exit 143' INT TERM
  # A first start would notice a port in use only after the download.
  [ -e "${DATA_DIR:-data}/geo/current.json" ] || node scripts/check-port/main.ts || exit
  node scripts/geo-data/main.ts --or-keep &
  # A trap runs at once during `wait`, and after a program in the foreground has ended.
  wait $! || exit
  trap - INT TERM
fi
# glibc raises this threshold with each large block that is freed, up to 64 MB, and keeps that much free memory in each thread's heap.
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-4194304}"
# V8's space for new objects grows to 64 MB during the start, and an idle process keeps it. Requests leave few objects in it.
exec node --max-semi-space-size=8 "$@"
