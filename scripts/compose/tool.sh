#!/bin/sh
# Runs an operator command: `tool.sh backup ARGUMENTS…`. If the environment has addresses (NATS_URL, AUTH_URL and so on),
# it runs here and uses them. Otherwise, it runs inside the Kubernetes cluster of the current kubectl context if
# `make kubernetes-up` has installed geolookup there, inside the Compose cluster if that is running, or else here, with
# the service of `make start`.
set -eu
cd "$(dirname "$0")/../.."
. scripts/kubernetes/cluster.sh
name=$1
shift

is_addressed() {
  [ -n "${NATS_URL:-}${NATS_URL_FILE:-}${AUTH_URL:-}${USAGE_URL:-}${GEO_URL:-}${OPS_TARGETS:-}" ]
}
has_compose_cluster() {
  env_file=${ENV_FILE:-.env}
  [ -s "$env_file" ] && command -v docker >/dev/null || return 1
  project=${COMPOSE_PROJECT_NAME:-$(sed -n 's/^COMPOSE_PROJECT_NAME=//p' "$env_file")}
  [ -n "$(container_of nats)" ]
}
container_of() { # SERVICE: a running one
  docker ps --quiet --filter "label=com.docker.compose.project=${project:-geolookup}" \
    --filter "label=com.docker.compose.service=$1" 2>/dev/null | head -n 1
}

if ! is_addressed && uses_kubernetes; then
  if [ -z "${KUBERNETES:-}" ] && has_compose_cluster; then
    echo "$name: geolookup runs with both Docker Compose and Kubernetes. Set KUBERNETES=on or KUBERNETES=off to choose one" >&2
    exit 1
  fi
  exec scripts/kubernetes/tool.sh "$name" "$@"
fi
if ! is_addressed && has_compose_cluster; then
  backups=${BACKUPS_DIR:-backups}
  mkdir -p "$backups"
  # Containers write them as their user.
  if [ "$(id -u)" = 0 ]; then chown "$(sed -n 's/^APP_UID=//p' "$env_file"):$(sed -n 's/^APP_GID=//p' "$env_file")" "$backups"; fi
  chmod 700 "$backups"
  case $backups in /*) ;; *) backups=$PWD/$backups ;; esac
  # The running gateway's settings, which `doctor ip` and `smoke` need.
  environment=$(docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' "$(container_of gateway)" 2>/dev/null || true)
  secrets=${SECRETS_DIR:-secrets}
  case $secrets in /*) ;; *) secrets=$PWD/$secrets ;; esac
  set -- tools node "scripts/$name/main.ts" "$@"
  case $name in backup | restore)
    # A cluster of version 0.1 has no backup key.
    if [ ! -s "$secrets/backup-key" ]; then
      if [ "$name" = restore ]; then
        echo "restore: there is no $secrets/backup-key: put your copy of the key there. For a backup of version 0.1, or if the" \
          "key is lost, run make secrets and use --unauthenticated" >&2
        exit 1
      fi
      scripts/compose/secrets.sh >&2
    fi
    set -- --volume "$secrets/backup-key:/run/backup-key:ro" --env BACKUP_KEY_FILE=/run/backup-key "$@"
    ;;
  esac
  if [ -n "$environment" ]; then set -- --env "TRUST_PROXY=$(echo "$environment" | sed -n 's/^TRUST_PROXY=//p')" "$@"; fi
  # The certificate isn't valid for the gateway's name on this network.
  if echo "$environment" | grep -q '^TLS_CERT_FILE=/'; then
    set -- --env PUBLIC_URL=https://public:8080 --env SMOKE_INSECURE=on "$@"
  fi
  exec scripts/compose/compose.sh --progress quiet run --rm --no-deps --no-TTY --volume "$backups:/app/backups" \
    "$@"
fi
make --silent node_modules/.package-lock.json
PATH=$PWD/node_modules/.bin:$PATH exec node "scripts/$name/main.ts" "$@"
