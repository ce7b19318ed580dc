#!/bin/sh
# Replaces the cluster's containers one after another: `rolling.sh upgrade` with images rebuilt from this folder,
# `rolling.sh restart` with what they run already; names of services may follow. A service's new container is
# healthy and known to its callers before an old one is stopped. One that does not become healthy is removed again,
# and the old ones keep running.
set -eu
cd "$(dirname "$0")/../.."
compose=scripts/compose/compose.sh
# Gateways look up the addresses of geo, auth and usage once a second, and check the health of a new one.
KNOWN_AFTER_SECONDS=3
HEALTHY_WITHIN_SECONDS=180

action=$1
shift
chosen=${*:-geo geo-data-refresh auth usage portal gateway stores}

say() {
  echo "$action: $*" >&2
}
fail() {
  say "$*"
  exit 1
}
containers_of() { # SERVICE: ids of those that run
  "$compose" ps --all --quiet "$1" 2>/dev/null || true
}
up() { # what must run without touching anything else
  "$compose" up --detach --no-deps --no-build --wait --wait-timeout "$HEALTHY_WITHIN_SECONDS" "$@"
}
# With --no-deps Compose would take a container that make up has made for one of other settings, and replace it.
up_as_first() {
  "$compose" up --detach --no-build --wait --wait-timeout "$HEALTHY_WITHIN_SECONDS" "$@"
}

# How many gateways HAProxy sends requests to.
servers_up() {
  docker exec "$haproxy" bash -c 'exec 3<>/dev/tcp/127.0.0.1/9464
    printf "GET /metrics HTTP/1.0\r\n\r\n" >&3
    sed -n "s/^haproxy_backend_active_servers{proxy=\"gateways\"} \([0-9]*\).*/\1/p" <&3'
}
wait_until_known() { # SERVICE COUNT
  if [ "$1" != gateway ]; then
    sleep "$KNOWN_AFTER_SECONDS"
    return
  fi
  for _ in $(seq 60); do
    known=$(servers_up || echo 0)
    [ "${known:-0}" -lt "$2" ] || return 0
    sleep 0.5
  done
  fail "HAProxy does not find the new gateway; look at make logs ARGS=haproxy"
}

drop() { # CONTAINER: SIGTERM, and time to finish
  docker stop "$1" >/dev/null
  docker rm "$1" >/dev/null
}

# One new container beside the old ones, then one old one less, until all are new.
replace() { # SERVICE
  old=$(containers_of "$1")
  count=$(echo "$old" | wc -w)
  for container in $old; do
    say "$1: starting a new container, then stopping ${container%"${container#????????????}"}"
    if ! up --no-recreate --scale "$1=$((count + 1))" "$1"; then
      for new in $(containers_of "$1"); do
        case " $(echo $before $old) " in *" $new "*) continue ;; esac
        docker logs --tail 20 "$new" >&2
        docker rm --force "$new" >/dev/null
      done
      fail "the new container of $1 did not become healthy; its last lines are above. The old ones keep running"
    fi
    wait_until_known "$1" "$((count + 1))"
    before=$(containers_of "$1")
    drop "$container"
  done
}

# Says what is missing, if something is.
"$compose" ps --quiet >/dev/null
haproxy=$(containers_of haproxy)
before=
[ -n "$(containers_of gateway)" ] || fail "the cluster does not run: make up"
if [ "$action" = upgrade ]; then scripts/compose/build.sh; fi

for service in $chosen; do
  case $service in
    # They are alone: only a changed image or setting is worth the gap, which gateways bridge.
    stores) if [ "$action" = upgrade ]; then up_as_first redis nats; fi ;;
    redis | nats) if [ "$action" = upgrade ]; then up_as_first "$service"; else up_as_first --force-recreate "$service"; fi ;;
    # No request needs it.
    geo-data-refresh) up --force-recreate geo-data-refresh ;;
    geo | auth | usage | portal) replace "$service" ;;
    gateway)
      if [ -n "$haproxy" ]; then
        replace gateway
      else
        say "gateway: there is but one, and nobody answers for a moment; make up-ha avoids that"
        up --force-recreate gateway
      fi
      ;;
    *) fail "there is no service $service: geo, geo-data-refresh, auth, usage, portal, gateway, redis or nats" ;;
  esac
done
if [ -n "$haproxy" ] && [ "$action" = upgrade ]; then
  up_as_first haproxy
  # Its configuration is a file of this folder; it takes a changed one without losing a connection.
  "$compose" kill --signal SIGUSR2 haproxy
fi
say "done"
