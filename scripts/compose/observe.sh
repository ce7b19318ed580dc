#!/bin/sh
# Starts Prometheus and Grafana for the running Compose cluster.
set -eu
cd "$(dirname "$0")/../.."
command=observe
. scripts/compose/settings.sh
compose=scripts/compose/compose.sh
gateways=$("$compose" ps --quiet gateway)
[ -n "$gateways" ] || fail "the cluster isn't running: run make up"
keep_settings
exec "$compose" --profile observability up --detach --wait --no-deps prometheus grafana
