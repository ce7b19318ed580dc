#!/bin/sh
# Replaces a secret of the running cluster, with Compose or Kubernetes, without losing keys or counts: `rotate-secret.sh
# NAME`, where NAME is admin-token, ip-hash-secret, redis-password or nats-passwords. Safe to run again after an
# interruption. For the signing key, use ./geolookup rotate signing-key.
set -eu
cd "$(dirname "$0")/../.."
command=rotate-secret
. scripts/choose-deployment.sh
. scripts/compose/secret-values.sh
umask 077
compose=scripts/compose/compose.sh
rolling=scripts/compose/rolling.sh

# Writes a new secret next to the old one.
prepare() { # NAME
  random_secret >"$secrets/$1.next"
  [ -s "$secrets/$1.next" ] || fail "cannot write $secrets/$1.next"
  if [ "$(id -u)" = 0 ]; then chown "$(stored APP_UID):$(stored APP_GID)" "$secrets/$1.next"; fi
}
# Overwrites the old one in place, because running containers have this file mounted.
install() { # NAME
  if [ "$(wc -c <"$secrets/$1.next")" -eq "$(wc -c <"$secrets/$1")" ]; then
    dd if="$secrets/$1.next" of="$secrets/$1" conv=notrunc 2>/dev/null
  else
    cat "$secrets/$1.next" >"$secrets/$1"
  fi
  rm "$secrets/$1.next"
}
redis_cli() {
  "$compose" exec --no-TTY redis sh /etc/redis/cli.sh "$@"
}

[ $# -le 1 ] || usage_error "name one secret, not $#: $*" "rotate secret"
name=${1:-}
case $name in
  admin-token | ip-hash-secret | redis-password | nats-passwords) ;;
  '') usage_error "name a secret" "rotate secret" ;;
  *) usage_error "there is no secret $name to rotate" "rotate secret" ;;
esac
choose_deployment clusters
if [ "$deployment" = kubernetes ]; then exec scripts/kubernetes/rotate-secret.sh "$name"; fi
auth=$("$compose" ps --quiet auth) || exit 1
[ -n "$auth" ] || fail "the cluster isn't running: run make up"
case $name in
  admin-token)
    prepare "$name"
    install "$name"
    "$rolling" restart auth usage portal
    ;;
  ip-hash-secret)
    prepare "$name"
    install "$name"
    "$rolling" restart gateway
    say "the hourly counts of keyless callers have started over; the old counts in Redis expire within an hour"
    ;;
  redis-password)
    old=$(cat "$secrets/$name")
    prepare "$name"
    new=$(cat "$secrets/$name.next")
    # Accept both until every gateway has the new one. Open connections aren't affected.
    redis_passwords "$old" "$old" "$new"
    install "$name"
    "$rolling" restart gateway
    redis_passwords "$new" "$new"
    ;;
  nats-passwords)
    for user in gateway auth usage setup operator; do prepare "nats-$user-password"; done
    for user in gateway auth usage setup operator; do install "nats-$user-password"; done
    # NATS reads them at startup and then refuses the old ones. Services reload theirs when they reconnect.
    "$rolling" restart nats
    ;;
esac
case $name in
  **s) say "$name have been replaced" ;;
  *) say "$name has been replaced" ;;
esac
