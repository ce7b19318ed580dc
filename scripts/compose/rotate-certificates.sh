#!/bin/sh
# Renews the certificates of TLS between the Compose cluster's containers, and with --ca their CA, while requests are
# served. Every step can be repeated, so it is safe to run again after an interruption.
set -eu
cd "$(dirname "$0")/../.."
umask 077
compose=scripts/compose/compose.sh
certificates=scripts/compose/certificates.sh
secrets=${SECRETS_DIR:-secrets}
env_file=${ENV_FILE:-.env}
authority=$secrets/internal-ca/ca.pem
# Exists while the CA is replaced.
next=$secrets/internal-ca/next.pem
LOADED_WITHIN_SECONDS=60
# Connections end after 35 s at most.
CONNECTIONS_END_AFTER_SECONDS=40

usage() {
  cat <<'TEXT'
Usage: make rotate-certificates [ARGS=--ca]

Gives every container and the operator's commands a new certificate, valid for a year, while requests
are served. No request fails. Safe to run again after an interruption.

  --ca   replaces the CA as well; takes about a minute. Both CAs are trusted until every certificate is
         of the new one
TEXT
}
fail() {
  echo "rotate-certificates: $*" >&2
  exit 1
}
say() {
  echo "rotate-certificates: $*" >&2
}

# What every container trusts.
trust() { # AUTHORITY…
  for folder in "$secrets"/internal-tls/*/; do
    for file in "$@"; do openssl x509 -in "$file"; done >"$folder/ca.pem.new"
    [ -s "$folder/ca.pem.new" ] || fail "cannot write $folder/ca.pem"
    if [ "$(id -u)" = 0 ]; then
      chown "$(sed -n 's/^APP_UID=//p' "$env_file" | tail -n 1):$(sed -n 's/^APP_GID=//p' "$env_file" | tail -n 1)" "$folder/ca.pem.new"
    fi
    mv "$folder/ca.pem.new" "$folder/ca.pem"
  done
}
running() { # SERVICE…: IDs of running containers
  "$compose" ps --quiet --status running "$@" 2>/dev/null || true
}
# When a process loaded the files that it uses, Unix seconds; 0 if it doesn't respond.
loaded_at() { # CONTAINER
  docker exec "$1" node -e '
    fetch(`http://127.0.0.1:${process.env.OPS_PORT || 9464}/metrics`)
      .then((response) => response.text())
      .then((text) => /^geolookup_internal_tls_files_loaded_timestamp_seconds (\d+)/m.exec(text)?.[1])
      .then((seconds) => console.log(seconds ?? 0), () => console.log(0))' 2>/dev/null || echo 0
}
# Runs a command that changes the files, and waits until every process uses the result.
load_after() { # COMMAND…
  # The metric has whole seconds here, so an earlier step must not have ended in this one.
  sleep 1
  since=$(date +%s)
  "$@"
  if [ -z "$(running auth)" ]; then return; fi
  for service in auth geo usage portal gateway; do
    for container in $(running "$service"); do
      waited=0
      while [ "$(loaded_at "$container")" -lt "$since" ]; do
        waited=$((waited + 1))
        # A container that has ended needs no files.
        [ -n "$(docker ps --quiet --filter "id=$container")" ] || break
        [ "$waited" -lt "$LOADED_WITHIN_SECONDS" ] ||
          fail "$service didn't load the new files; see make logs ARGS=$service. Then run this again"
        sleep 1
      done
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
  for _ in $(seq "$LOADED_WITHIN_SECONDS"); do
    case $(docker logs --since "$from" "$nats" 2>&1) in
      *"Reloaded server configuration"*) return ;;
      *"Failed to reload"*) break ;;
    esac
    sleep 0.5
  done
  fail "NATS didn't load the new files; see make logs ARGS=nats. Then run this again"
}
load_redis() {
  [ -n "$(running redis)" ] || return 0
  # To standard input, because other users of the machine can read arguments.
  printf 'AUTH %s\nCONFIG SET tls-cert-file %s tls-key-file %s tls-ca-cert-file %s\n' "$(cat "$secrets/redis-password")" \
    /run/internal-tls/cert.pem /run/internal-tls/key.pem /run/internal-tls/ca.pem |
    "$compose" exec --no-TTY redis sh /etc/redis/cli.sh --no-auth-warning |
    { read -r first && read -r second && [ "$first $second" = "OK OK" ]; } ||
    fail "Redis didn't load the new files; see make logs ARGS=redis. Then run this again"
}

replaces_ca=
for argument in "$@"; do
  case $argument in
    --help | -h)
      usage
      exit 0
      ;;
    --ca) replaces_ca=yes ;;
    *)
      echo "rotate-certificates: unknown argument $argument" >&2
      echo >&2
      usage >&2
      exit 2
      ;;
  esac
done
"$compose" ps --quiet >/dev/null
[ -s "$authority" ] || fail "there is no $authority, so these aren't certificates of make secrets: replace them in $secrets/internal-tls" \
  "as docs/operations.md describes"
if [ -n "$(running auth)" ] &&
  ! docker inspect --format '{{json .Config.Env}}' "$(running auth | head -n 1)" | grep -q '"INTERNAL_TLS_CA_FILE=/'; then
  fail "the containers don't use TLS between each other: run make up, with INTERNAL_TLS=on"
fi

# A service of a newer version may not have one yet.
"$certificates"
if [ -z "$replaces_ca" ] && [ ! -s "$next" ]; then
  load_after "$certificates" renew "$authority"
  say "every container has a new certificate"
  exit 0
fi
[ -s "$next" ] || "$certificates" authority "$next"
load_after trust "$authority" "$next"
say "every container trusts both CAs"
load_after "$certificates" renew "$next"
say "every container has a certificate of the new CA"
if [ -n "$(running auth)" ]; then sleep "$CONNECTIONS_END_AFTER_SECONDS"; fi
load_after trust "$next"
mv "$next" "$authority"
say "the CA has been replaced"
