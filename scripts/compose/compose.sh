#!/bin/sh
# docker compose for this cluster, in the way it runs: `compose.sh ARGUMENTS…`. When HAProxy is there, its profile
# and settings are too; MODE=ha or MODE=plain says so before anything runs. Files in COMPOSE_OVERRIDES (separated by
# blanks) and docker-compose.override.yml are laid over the cluster's own. Says what is missing; of secrets only unless
# MAY_LACK_SECRETS is set.
set -eu
cd "$(dirname "$0")/../.."

fail() {
  echo "compose: $*" >&2
  exit 1
}

command -v docker >/dev/null ||
  fail "docker is missing: install Docker Engine 20.10 or newer with Compose 2.24.4 or newer (https://docs.docker.com/engine/install/)"
docker compose version >/dev/null 2>&1 ||
  fail "docker compose is missing: install its plugin, 2.24.4 or newer (https://docs.docker.com/compose/install/)"
docker info >/dev/null 2>&1 || fail "the Docker engine does not answer: start it, and make sure that you may use it"

env_file=${ENV_FILE:-.env}
secrets=${SECRETS_DIR:-secrets}
[ -s "$env_file" ] || fail "there is no $env_file: run make secrets"
# What runs can be looked at and stopped without them.
if [ -z "${MAY_LACK_SECRETS:-}" ]; then
  for file in admin-token ip-hash-secret redis-password signing/signing-keys.json \
    nats-gateway-password nats-auth-password nats-usage-password nats-operator-password; do
    [ -s "$secrets/$file" ] || fail "there is no $secrets/$file: restore it from a backup, or run make secrets for a new one"
  done
fi
# Containers read them as their user: what root has put there since, a license key or a renewed certificate, becomes theirs.
if [ "$(id -u)" = 0 ] && [ -d "$secrets" ]; then
  chown -R "$(sed -n 's/^APP_UID=//p' "$env_file"):$(sed -n 's/^APP_GID=//p' "$env_file")" "$secrets"
fi

# Services refuse secret files that every user of the machine can read.
if [ -d "$secrets" ]; then chmod -R u=rwX,go= "$secrets" 2>/dev/null || true; fi

project=${COMPOSE_PROJECT_NAME:-$(sed -n 's/^COMPOSE_PROJECT_NAME=//p' "$env_file")}
if [ -z "${MODE:-}" ]; then
  labels="--filter label=com.docker.compose.project=${project:-geolookup} --filter label=com.docker.compose.service=haproxy"
  # shellcheck disable=SC2086
  if [ -n "$(docker ps --all --quiet $labels)" ]; then MODE=ha; fi
fi
for file in ${COMPOSE_OVERRIDES:-}; do set -- --file "$file" "$@"; done
if [ -f docker-compose.override.yml ]; then set -- --file docker-compose.override.yml "$@"; fi
if [ "${MODE:-plain}" = ha ]; then set -- --profile ha --file infra/compose/ha.yml "$@"; fi
set -- --file docker-compose.yml "$@"
exec docker compose --env-file "$env_file" "$@"
