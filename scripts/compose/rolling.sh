#!/bin/sh
# Replaces the cluster's containers one by one: `rolling.sh upgrade` rebuilds or pulls the images first,
# `rolling.sh restart` uses the existing ones. Service names can follow; the default is all. An old container is stopped
# once the new one is healthy and receives requests. A container that doesn't become healthy is removed, and the old ones
# keep running.
set -eu
cd "$(dirname "$0")/../.."
command=$1
. scripts/compose/settings.sh
. scripts/compose/secret-values.sh
compose=scripts/compose/compose.sh
# Gateways resolve the addresses of geo, auth and usage once a second, and check the health of new ones.
DISCOVERED_AFTER_SECONDS=3
HEALTHY_WITHIN_SECONDS=180

shift
chosen=${*:-geo geo-data-refresh auth usage portal gateway stores}

up() { # starts services without touching others
  "$compose" up --detach --no-deps --no-build --wait --wait-timeout "$HEALTHY_WITHIN_SECONDS" "$@"
}
# With --no-deps, Compose would treat containers from `make up` as changed, and replace them.
up_with_dependencies() {
  "$compose" up --detach --no-build --wait --wait-timeout "$HEALTHY_WITHIN_SECONDS" "$@"
}
upgrade_stores() {
  up_with_dependencies "$@"
  # This version may have streams that the one before didn't have.
  case " $* " in *" nats "*) "$compose" run --rm --no-deps --no-TTY nats-setup ;; esac
}

# How many gateways HAProxy sends requests to.
servers_up() {
  docker exec "$haproxy" bash -c 'exec 3<>/dev/tcp/127.0.0.1/9464
    printf "GET /metrics HTTP/1.0\r\n\r\n" >&3
    sed -n "s/^haproxy_backend_active_servers{proxy=\"gateways\"} \([0-9]*\).*/\1/p" <&3'
}
wait_until_discovered() { # SERVICE COUNT
  if [ "$1" != gateway ]; then
    sleep "$DISCOVERED_AFTER_SECONDS"
    return
  fi
  for _ in $(seq 60); do
    known=$(servers_up || echo 0)
    [ "${known:-0}" -lt "$2" ] || return 0
    sleep 0.5
  done
  fail "HAProxy didn't discover the new gateway; see ./geolookup logs haproxy"
}

# Version 0.1 didn't store the settings of make up in .env, so a restart could move the port.
refuse_move() {
  front=$([ -n "$haproxy" ] && echo haproxy || echo gateway)
  now=$(docker inspect --format '{{range (index .HostConfig.PortBindings "8080/tcp")}}{{.HostIp}}:{{.HostPort}}{{end}}' \
    "$(containers_of "$front" | head -n 1)")
  next=$("$compose" config "$front" | awk '$1 == "host_ip:" { ip = $2 } $1 == "target:" { target = $2 }
    $1 == "published:" && target == 8080 { gsub("\"", "", $2); print ip ":" $2; exit }')
  [ -z "$next" ] || [ "$now" = "$next" ] ||
    fail "the cluster listens on $now, and would move to $next: put the right BIND and PORT into $env_file. To move it, run make up"
}
drop() { # CONTAINER: stops it gracefully and removes it
  docker stop "$1" >/dev/null
  docker rm "$1" >/dev/null
}

# Starts a new container, then stops an old one, until all are new.
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
      fail "the new container of $1 didn't become healthy; its last log lines are above. The old ones keep running"
    fi
    wait_until_discovered "$1" "$((count + 1))"
    before=$(containers_of "$1")
    drop "$container"
  done
  # Starts what was missing.
  up --no-recreate "$1"
}

# Earlier versions had fewer certificates, and no user of NATS that creates the streams.
if [ "$command" = upgrade ] && [ -s "${ENV_FILE:-.env}" ]; then
  scripts/compose/certificates.sh >&2
  if [ ! -s "$secrets/nats-setup-password" ]; then
    (umask 077 && random_secret >"$secrets/nats-setup-password.partial")
    mv "$secrets/nats-setup-password.partial" "$secrets/nats-setup-password"
  fi
fi
# Fails if something is missing.
"$compose" ps --quiet >/dev/null
haproxy=$(containers_of haproxy)
before=
[ -n "$(containers_of gateway)" ] || fail "the cluster isn't running: run make up"
store_numbers || exit 1
if [ "$command" = restart ]; then refuse_changed_settings; fi
refuse_move
if [ "$command" = upgrade ]; then
  keep_settings || exit 1
  scripts/compose/build.sh
fi

for service in $chosen; do
  case $service in
    # They have one container each, so restarting them interrupts them. An upgrade restarts them only if they changed.
    stores) if [ "$command" = upgrade ]; then upgrade_stores redis nats; fi ;;
    redis | nats) if [ "$command" = upgrade ]; then upgrade_stores "$service"; else up_with_dependencies --force-recreate "$service"; fi ;;
    # Requests don't depend on it.
    geo-data-refresh) up --force-recreate geo-data-refresh ;;
    geo | auth | usage | portal) replace "$service" ;;
    gateway)
      if [ -n "$haproxy" ]; then
        replace gateway
      else
        say "gateway: there is only one, so requests fail for a moment; make up-ha avoids that"
        up --force-recreate gateway
      fi
      ;;
    *) fail "unknown service $service. Use geo, geo-data-refresh, auth, usage, portal, gateway, redis or nats" ;;
  esac
done
if [ -n "$haproxy" ] && [ "$command" = upgrade ]; then
  up_with_dependencies haproxy
  # Reload its configuration, which is a file in this folder, without closing connections.
  "$compose" kill --signal SIGUSR2 haproxy
fi
if [ "$command" = upgrade ] && ! docker inspect --format '{{json .Config.Env}}' "$(containers_of auth | head -n 1)" | grep -q '"INTERNAL_TLS_CA_FILE=/'; then
  say "connections between the containers aren't encrypted. To encrypt them, run $([ -n "$haproxy" ] && echo make up-ha || echo make up): it" \
    "replaces all containers at once, so requests fail for about a minute"
fi
# Before that, commands of this version that an earlier one's processes would not understand are refused.
if [ "$command" = upgrade ] && ! COMPOSE_PROJECT_NAME="$project" scripts/compose/tool.sh upgrade --finish; then
  say "the upgrade isn't finished: when every process runs this version, run ./geolookup upgrade --finish"
fi
say "done"
