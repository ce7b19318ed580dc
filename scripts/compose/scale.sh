#!/bin/sh
# Changes how many containers services have, and waits until they are healthy: `scale.sh geo=4 auth=2`.
set -eu
cd "$(dirname "$0")/../.."
compose=scripts/compose/compose.sh

fail() {
  echo "scale: $*" >&2
  exit 1
}

# make hands on all that was set behind it; names of settings are in capitals.
for wish in "$@"; do
  shift
  case $wish in [A-Z]*=*) ;; *) set -- "$@" "$wish" ;; esac
done
[ $# -gt 0 ] || fail "say which and how many, e.g. make scale geo=4; of gateway, auth, geo, usage and portal"
options= services=
for wish in "$@"; do
  service=${wish%%=*} count=${wish#*=}
  case $service in gateway | auth | geo | usage | portal) ;; *) fail "there is no service $service to scale: gateway, auth, geo, usage or portal" ;; esac
  case $count in '' | *[!0-9]* | 0* | ???*) fail "$service=$count: must be a whole number from 1 to 99" ;; esac
  if [ "$service" = gateway ] && [ "$count" -gt 1 ] && [ -z "$("$compose" ps --quiet haproxy 2>/dev/null)" ]; then
    fail "several gateways need HAProxy in front of them: make up-ha"
  fi
  options="$options --scale $wish" services="$services $service"
done
running=$("$compose" ps --quiet gateway)
[ -n "$running" ] || fail "the cluster does not run: make up"
# shellcheck disable=SC2086
exec "$compose" up --detach --no-deps --no-recreate --no-build --wait --wait-timeout 180 $options $services
