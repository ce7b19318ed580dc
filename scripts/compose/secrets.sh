#!/bin/sh
# Creates the Compose cluster's secrets and certificates: files in SECRETS_DIR (default secrets/) with mode 0600, and .env
# with the user that containers run as. Existing ones aren't changed.
#
# Secret files keep their owner and mode inside containers. So containers run as the user who runs this. If that is root,
# they run as an unused user ID, which then owns the files.
set -eu
cd "$(dirname "$0")/../.."
command=secrets
. scripts/compose/settings.sh
. scripts/compose/secret-values.sh
umask 077

if [ "$(id -u)" = 0 ]; then uid=10001 gid=10001; else uid=$(id -u) gid=$(id -g); fi
if [ -z "$(stored APP_UID)" ]; then
  printf '# Written by ./geolookup secrets: the user and group that the containers run as.\nAPP_UID=%s\nAPP_GID=%s\n' \
    "$uid" "$gid" >>"$env_file"
fi
uid=$(stored APP_UID) gid=$(stored APP_GID)
case $uid$gid in '' | *[!0-9]*) fail "$env_file: APP_UID and APP_GID must be numbers" ;; esac
[ "$uid" != 0 ] || fail "$env_file: APP_UID must not be 0: containers don't run as root"

mkdir -p "$secrets/signing" "$secrets/maxmind" "$secrets/tls"

# Writes standard input to a new file, atomically.
write() { # FILE
  cat >"$secrets/$1.partial"
  [ -s "$secrets/$1.partial" ] || fail "cannot write $secrets/$1"
  mv "$secrets/$1.partial" "$secrets/$1"
  echo "secrets: wrote $secrets/$1"
}
has() { # FILE
  [ -s "$secrets/$1" ]
}

for name in admin-token ip-hash-secret redis-password \
  nats-gateway-password nats-auth-password nats-usage-password nats-setup-password nats-operator-password; do
  has "$name" || random_secret | write "$name"
done
if ! has signing/signing-keys.json; then
  id=K$(random_secret | tail -c 3)
  printf '{\n  "active": "%s",\n  "keys": [{ "id": "%s", "secret": "%s" }]\n}\n' "$id" "$id" "$(random_secret)" |
    write signing/signing-keys.json
  echo "secrets: keep a backup of $secrets/signing/signing-keys.json: without it no issued key works"
fi

if ! has backup-key; then
  random_secret | write backup-key
  echo "secrets: keep a copy of $secrets/backup-key, apart from the backups: they can't be restored without it"
fi

scripts/compose/certificates.sh

if [ "$(id -u)" = 0 ]; then chown -R "$uid:$gid" "$secrets"; fi
