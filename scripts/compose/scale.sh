#!/bin/sh
# Sets the number of containers of services, and waits until they are healthy: `scale.sh geo=4 auth=2`.
set -eu
cd "$(dirname "$0")/../.."
command=scale
. scripts/compose/settings.sh
compose=scripts/compose/compose.sh

# Without Docker Compose, what it says comes first: it names the commands that fit the way the service runs.
running=$("$compose" ps --quiet gateway)
# make passes all variables of its command line. Settings, which have names in capitals, aren't services.
for target in "$@"; do
  shift
  case $target in [A-Z]*=*) ;; *) set -- "$@" "$target" ;; esac
done
[ $# -gt 0 ] || fail "say which service and how many containers, such as make scale geo=4. Services: gateway, auth, geo, usage, portal"
services=
for target in "$@"; do
  service=${target%%=*} count=${target#*=}
  case $service in gateway | auth | geo | usage | portal) ;; *) fail "can't scale $service, only gateway, auth, geo, usage and portal" ;; esac
  is_number "$count" || fail "$service=$count: the number must be from 1 to 99"
  if [ "$service" = gateway ] && [ "$count" -gt 1 ] && [ -z "$("$compose" ps --quiet haproxy 2>/dev/null)" ]; then
    fail "several gateways need HAProxy in front of them: run make up-ha"
  fi
  services="$services $service"
done
[ -n "$running" ] || fail "the cluster isn't running: run make up"
refuse_changed_settings
store_numbers
for target in "$@"; do store "$(number_variable "${target%%=*}")" "${target#*=}"; done
# shellcheck disable=SC2086
"$compose" up --detach --no-deps --no-recreate --no-build --wait --wait-timeout 180 $services
update_expected
