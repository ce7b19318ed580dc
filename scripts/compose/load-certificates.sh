# shellcheck shell=sh
# Functions of rotate-certificates.sh for the Compose cluster.
compose=scripts/compose/compose.sh

check_processes() {
  "$compose" ps --quiet >/dev/null
  if is_running &&
    ! docker inspect --format '{{json .Config.Env}}' "$(running auth | head -n 1)" | grep -q '"INTERNAL_TLS_CA_FILE=/'; then
    fail "the containers don't use TLS between each other: run make up, with INTERNAL_TLS=on"
  fi
}
is_running() {
  [ -n "$(running auth)" ]
}
running() { # SERVICE…: IDs of running containers
  "$compose" ps --quiet --status running "$@" 2>/dev/null || true
}
exists() { # CONTAINER
  [ -n "$(docker ps --quiet --filter "id=$1")" ]
}
# When a process loaded the files that it uses, Unix seconds; 0 if it doesn't respond.
loaded_at() { # CONTAINER
  docker exec "$1" node -e "$read_loaded_at" 2>/dev/null || echo 0
}
# Waits until every process uses the files that changed after SINCE, in Unix seconds.
load_everywhere() { # SINCE
  for service in auth geo usage portal gateway; do
    for container in $(running "$service"); do
      wait_until_loaded "$1" "$container" "$service" "./geolookup logs $service"
    done
  done
  load_nats
  load_redis
}
load_nats() {
  nats=$(running nats)
  [ -n "$nats" ] || return 0
  from=$(date +%s)
  docker kill --signal HUP "$nats" >/dev/null
  for _ in $(seq "$loaded_within_seconds"); do
    case $(docker logs --since "$from" "$nats" 2>&1) in
      *"Reloaded server configuration"*) return ;;
      *"Failed to reload"*) break ;;
    esac
    sleep 0.5
  done
  fail "NATS didn't load the new files; see ./geolookup logs nats. Then run this again"
}
load_redis() {
  [ -n "$(running redis)" ] || return 0
  # To standard input, because other users of the machine can read arguments.
  printf 'AUTH %s\nCONFIG SET tls-cert-file %s tls-key-file %s tls-ca-cert-file %s\n' "$(cat "$secrets/redis-password")" \
    /run/internal-tls/cert.pem /run/internal-tls/key.pem /run/internal-tls/ca.pem |
    "$compose" exec --no-TTY redis sh /etc/redis/cli.sh --no-auth-warning |
    { read -r first && read -r second && [ "$first $second" = "OK OK" ]; } ||
    fail "Redis didn't load the new files; see ./geolookup logs redis. Then run this again"
}
