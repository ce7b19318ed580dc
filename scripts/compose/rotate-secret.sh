#!/bin/sh
# Gives the running Compose cluster another secret, without losing a key or a count: `rotate-secret.sh NAME`, of
# admin-token, ip-hash-secret, redis-password and nats-passwords. Interrupted, it can be run again. The signing key has a
# command of its own: make rotate-signing-key.
set -eu
cd "$(dirname "$0")/../.."
umask 077
compose=scripts/compose/compose.sh
rolling=scripts/compose/rolling.sh
secrets=${SECRETS_DIR:-secrets}
env_file=${ENV_FILE:-.env}

usage() {
  cat <<'TEXT'
Usage: make rotate-secret ARGS=NAME

Gives the running Compose cluster another secret while requests come in, without losing a key or a
count. Interrupted, it can be run again. NAME is one of

  admin-token     restarts auth, usage and portal one by one
  ip-hash-secret  restarts the gateways; keyless callers' hours restart
  redis-password  restarts the gateways; Redis takes the old one too until they have the new one
  nats-passwords  all four; restarts NATS, and keys cannot be changed meanwhile

The signing key has a command of its own: make rotate-signing-key.
TEXT
}
fail() {
  echo "rotate-secret: $*" >&2
  exit 1
}
misused() {
  echo "rotate-secret: $*" >&2
  echo >&2
  usage >&2
  exit 2
}
say() {
  echo "rotate-secret: $*" >&2
}
# As scripts/compose/secrets.sh makes them.
random() {
  printf k
  head -c 256 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' | head -c 47
}
owner() { # of what the containers read
  sed -n 's/^APP_UID=//p' "$env_file" | tail -n 1
}
group() {
  sed -n 's/^APP_GID=//p' "$env_file" | tail -n 1
}
# Writes a new secret beside the old one.
prepare() { # NAME
  random >"$secrets/$1.next"
  [ -s "$secrets/$1.next" ] || fail "cannot write $secrets/$1.next"
  if [ "$(id -u)" = 0 ]; then chown "$(owner):$(group)" "$secrets/$1.next"; fi
}
# Writes it over the old one. The file stays the same one, which containers that run have mounted.
install() { # NAME
  if [ "$(wc -c <"$secrets/$1.next")" -eq "$(wc -c <"$secrets/$1")" ]; then
    dd if="$secrets/$1.next" of="$secrets/$1" conv=notrunc 2>/dev/null
  else
    cat "$secrets/$1.next" >"$secrets/$1"
  fi
  rm "$secrets/$1.next"
}
# Tells Redis its passwords, on standard input: other users of the machine can read arguments.
redis_passwords() { # PASSWORD-TO-GET-IN PASSWORD…
  auth=$1
  shift
  accepted=
  for password in "$@"; do accepted="$accepted >$password"; done
  printf 'AUTH %s\nACL SETUSER default resetpass%s\n' "$auth" "$accepted" |
    "$compose" exec --no-TTY redis redis-cli --no-auth-warning |
    { read -r first && read -r second && [ "$first $second" = "OK OK" ]; } ||
    fail "Redis does not take the password; look at make logs ARGS=redis"
}

for argument in "$@"; do
  case $argument in --help | -h)
    usage
    exit 0
    ;;
  esac
done
[ $# -le 1 ] || misused "name one secret, not $#: $*"
name=${1:-}
case $name in
  admin-token | ip-hash-secret | redis-password | nats-passwords) ;;
  '') misused "say which secret" ;;
  *) misused "there is no secret $name to rotate" ;;
esac
[ -n "$("$compose" ps --quiet auth)" ] || fail "the cluster does not run: make up"
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
    say "keyless callers' hours have restarted; Redis forgets the old counts within an hour"
    ;;
  redis-password)
    old=$(cat "$secrets/$name")
    prepare "$name"
    new=$(cat "$secrets/$name.next")
    # Both, until every gateway has the new one. Connections that are open stay so.
    redis_passwords "$old" "$old" "$new"
    install "$name"
    "$rolling" restart gateway
    redis_passwords "$new" "$new"
    ;;
  nats-passwords)
    for user in gateway auth usage operator; do prepare "nats-$user-password"; done
    for user in gateway auth usage operator; do install "nats-$user-password"; done
    # NATS reads them at its start. It then refuses every old one, and the services reread the file to connect.
    "$rolling" restart nats
    ;;
esac
case $name in
  *s) say "$name are other ones now" ;;
  *) say "$name is another one now" ;;
esac
