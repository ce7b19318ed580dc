#!/bin/sh
# Builds and starts the Compose cluster, waits until it is healthy, and says what to do next. MODE=ha or MODE=plain.
set -eu
cd "$(dirname "$0")/../.."
compose=scripts/compose/compose.sh

scripts/compose/build.sh
# What was scaled stays so; several gateways are for HAProxy alone.
scales=
for service in gateway auth geo usage portal; do
  count=$("$compose" ps --quiet "$service" 2>/dev/null | wc -l)
  if [ "$service" = gateway ]; then
    if [ "$MODE" = plain ]; then count=1; elif [ "$count" -lt 2 ]; then count=2; fi
  fi
  if [ "$count" -gt 1 ]; then scales="$scales --scale $service=$count"; fi
done
# shellcheck disable=SC2086
"$compose" up --detach --wait --remove-orphans $scales

address=$("$compose" port "$([ "$MODE" = ha ] && echo haproxy || echo gateway)" 8080 | sed 's/0\.0\.0\.0/127.0.0.1/')
cat <<TEXT

geolookup answers on http://$address. From this machine you come from a private address, which is nowhere: the place
is null and partial is true.

  curl http://$address/v1/geo
  make keys ARGS="issue --kind secret --plan paid --label first"

make help lists the other commands; the README has a chapter on them, "With Docker Compose".
TEXT
