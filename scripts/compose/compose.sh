#!/bin/sh
# Runs docker compose for this cluster: `compose.sh ARGUMENTS…`. If HAProxy exists, its profile and settings are included;
# MODE=ha or MODE=plain sets this before the first start. Likewise, a cluster that runs without TLS between its containers
# stays without, so that containers can be replaced one by one; MAY_SWITCH_TLS=yes applies INTERNAL_TLS. Merges docker-compose.override.yml and the files in
# COMPOSE_OVERRIDES (separated by spaces). Fails if something is missing. MAY_LACK_SECRETS=yes allows missing secrets.
set -eu
cd "$(dirname "$0")/../.."
command=compose
. scripts/compose/settings.sh

[ -s "$env_file" ] ||
  fail "geolookup isn't set up for Docker Compose here: there is no $env_file. To set it up, run ./geolookup secrets, then make up." \
    "If it runs with make start, read its log in that terminal; to restart it, stop it and run make start again; to upgrade it, run git pull first"
command -v docker >/dev/null ||
  fail "docker is missing: install Docker Engine 20.10 or newer with Compose 2.24.4 or newer (https://docs.docker.com/engine/install/)"
docker compose version >/dev/null 2>&1 ||
  fail "docker compose is missing: install its plugin, 2.24.4 or newer (https://docs.docker.com/compose/install/)"
docker info >/dev/null 2>&1 || fail "the Docker engine isn't responding: start it, and make sure that your user has access to it"

# Inspecting and stopping containers needs no secrets.
if [ -z "${MAY_LACK_SECRETS:-}" ]; then
  refuse_removed_settings
  for file in admin-token ip-hash-secret redis-password signing/signing-keys.json \
    nats-gateway-password nats-auth-password nats-usage-password nats-setup-password nats-operator-password \
    internal-tls/gateway/key.pem internal-tls/auth/key.pem internal-tls/geo/key.pem internal-tls/usage/key.pem \
    internal-tls/portal/key.pem internal-tls/setup/key.pem internal-tls/operator/key.pem internal-tls/nats/key.pem internal-tls/redis/key.pem; do
    [ -s "$secrets/$file" ] || fail "there is no $secrets/$file: restore it from a backup, or run ./geolookup secrets for a new one"
  done
fi
# Containers run as their own user, so files that root added, such as a license key or a renewed certificate, get its owner.
if [ "$(id -u)" = 0 ] && [ -d "$secrets" ]; then
  chown -R "$(stored APP_UID):$(stored APP_GID)" "$secrets"
fi

# Services refuse secret files that every user of the machine can read.
if [ -d "$secrets" ]; then chmod -R u=rwX,go= "$secrets" 2>/dev/null || true; fi

if [ -z "${MODE:-}" ] && [ -n "$(containers_of haproxy)" ]; then MODE=ha; fi
tls=$(setting INTERNAL_TLS)
case $tls in '' | on | off) ;; *) fail "INTERNAL_TLS=$tls: must be on or off" ;; esac
if [ -z "${MAY_SWITCH_TLS:-}" ]; then
  auth=$(containers_of auth | head -n 1)
  if [ -n "$auth" ]; then
    case $(docker inspect --format '{{json .Config.Env}}' "$auth") in *'"INTERNAL_TLS_CA_FILE=/'*) tls=on ;; *) tls=off ;; esac
  fi
fi
for file in $(setting COMPOSE_OVERRIDES); do set -- --file "$file" "$@"; done
if [ -f docker-compose.override.yml ]; then set -- --file docker-compose.override.yml "$@"; fi
case ,$(setting COMPOSE_PROFILES), in *,edge,*) set -- --profile edge --file infra/compose/edge.yml "$@" ;; esac
if [ "${tls:-on}" = off ]; then set -- --file infra/compose/plaintext.yml "$@"; fi
if [ -n "$(setting KEEP_ALIVE_SECONDS)" ]; then set -- --file infra/compose/keep-alive.yml "$@"; fi
if [ "${MODE:-plain}" = ha ]; then set -- --profile ha --file infra/compose/ha.yml "$@"; fi
set -- --file docker-compose.yml "$@"
exec docker compose --env-file "$env_file" "$@"
