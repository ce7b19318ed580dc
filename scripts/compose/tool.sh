#!/bin/sh
# Runs one of the operator's commands where its cluster is: `tool.sh backup ARGUMENTS…`. With addresses in the
# environment (NATS_URL, AUTH_URL and so on) it runs here, and asks those; else inside the Compose cluster when that
# runs; else here, on what `make start` runs.
set -eu
cd "$(dirname "$0")/../.."
name=$1
shift

is_addressed() {
  [ -n "${NATS_URL:-}${NATS_URL_FILE:-}${AUTH_URL:-}${USAGE_URL:-}${GEO_URL:-}${OPS_TARGETS:-}" ]
}
has_compose_cluster() {
  env_file=${ENV_FILE:-.env}
  [ -s "$env_file" ] && command -v docker >/dev/null || return 1
  project=${COMPOSE_PROJECT_NAME:-$(sed -n 's/^COMPOSE_PROJECT_NAME=//p' "$env_file")}
  [ -n "$(docker ps --quiet --filter "label=com.docker.compose.project=${project:-geolookup}" \
    --filter label=com.docker.compose.service=nats 2>/dev/null)" ]
}

if ! is_addressed && has_compose_cluster; then
  backups=${BACKUPS_DIR:-backups}
  mkdir -p "$backups"
  # The containers' user writes them.
  if [ "$(id -u)" = 0 ]; then chown "$(sed -n 's/^APP_UID=//p' "$env_file"):$(sed -n 's/^APP_GID=//p' "$env_file")" "$backups"; fi
  chmod 700 "$backups"
  case $backups in /*) ;; *) backups=$PWD/$backups ;; esac
  exec scripts/compose/compose.sh --progress quiet run --rm --no-deps --no-TTY --volume "$backups:/app/backups" \
    tools node "scripts/$name/main.ts" "$@"
fi
make --silent node_modules/.package-lock.json
PATH=$PWD/node_modules/.bin:$PATH exec node "scripts/$name/main.ts" "$@"
