#!/bin/sh
# Starts Prometheus and Grafana for the running Compose cluster.
set -eu
cd "$(dirname "$0")/../.."
. scripts/compose/settings.sh
compose=scripts/compose/compose.sh
gateways=$("$compose" ps --quiet gateway)
[ -n "$gateways" ] || {
  echo "observe: the cluster isn't running: run make up" >&2
  exit 1
}
keep_settings observe
exec "$compose" --profile observability up --detach --wait --no-deps prometheus grafana
