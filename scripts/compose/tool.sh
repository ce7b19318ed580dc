#!/bin/sh
# Runs an operator command of geolookup: `tool.sh backup ARGUMENTS…`. If the environment has addresses (NATS_URL, AUTH_URL and so on),
# it runs here and uses them. Otherwise, it runs inside the Kubernetes cluster of the current kubectl context if
# `./geolookup kubernetes up` has installed geolookup there, inside the Compose cluster if that has any container, or else here, with
# the service of `make start`.
set -eu
cd "$(dirname "$0")/../.."
command=$1
. scripts/choose-deployment.sh

is_addressed() {
  [ -n "${NATS_URL:-}${NATS_URL_FILE:-}${AUTH_URL:-}${USAGE_URL:-}${GEO_URL:-}${OPS_TARGETS:-}" ]
}
# Every service that must run, as SERVICE=RUNNING/EXPECTED: those of the Compose file, except the ones that run once, and
# those that were added, such as Prometheus.
compose_parts() {
  {
    scripts/compose/compose.sh config
    docker ps --all --filter "label=com.docker.compose.project=$project" --filter label=com.docker.compose.oneoff=False \
      --format 'container {{.Label "com.docker.compose.service"}} {{.State}} {{.Status}}'
  } | awk '
    /^[a-z]/ { section = $1 }
    section == "services:" && /^  [a-z]/ { service = substr($1, 1, length($1) - 1); known[service] = expected[service] = 1 }
    section == "services:" && /^    restart: "no"/ { delete expected[service] }
    section == "services:" && /^      replicas: / && service in expected { expected[service] = $2 }
    section == "container" && !($2 in known) { expected[$2]++ }
    section == "container" && $3 == "running" && !/\(unhealthy\)/ { running[$2]++ }
    END { for (each in expected) print each "=" running[each] + 0 "/" expected[each] }' | sort
}

if is_addressed; then deployment=local; else choose_deployment; fi
# Containers don't have this machine's plans file, but an old one at the same path.
if [ "$deployment" != local ] && [ "$command ${2:-} ${3:-}" = "keys plans check" ]; then
  for argument in "$@"; do
    shift
    if [ -f "$argument" ]; then exec <"$argument" && argument=-; fi
    set -- "$@" "$argument"
  done
fi
if [ "$deployment" = kubernetes ]; then exec scripts/kubernetes/tool.sh "$@"; fi
if [ "$deployment" = compose ]; then
  say "using Docker Compose, project $project"
  parts=$(compose_parts)
  missing=$(echo "$parts" | awk -F '[=/]' '$2 < $3 { printf "%s%s (%d of %d)", sep, $1, $2, $3; sep = ", " }')
  if [ -n "$missing" ] && [ "$command" != doctor ]; then
    say "not running: $missing. make up starts what is missing"
  fi
  backups=$(setting BACKUPS_DIR)
  backups=${backups:-backups}
  mkdir -p "$backups"
  # Containers read and write them as their user, also those that root put there.
  if [ "$(id -u)" = 0 ]; then chown -R "$(stored APP_UID):$(stored APP_GID)" "$backups"; fi
  chmod 700 "$backups"
  case $backups in /*) ;; *) backups=$PWD/$backups ;; esac
  # The running gateway's settings, which `doctor ip` and `smoke` need.
  environment=$(docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' "$(containers_of gateway | head -n 1)" 2>/dev/null || true)
  case $secrets in /*) ;; *) secrets=$PWD/$secrets ;; esac
  set -- tools node scripts/program/main.ts "$@"
  case $command in backup | restore)
    # A cluster of version 0.1 has no backup key.
    if [ ! -s "$secrets/backup-key" ]; then
      if [ "$command" = restore ]; then
        fail "there is no $secrets/backup-key: put your copy of the key there. For a backup of version 0.1, or if the" \
          "key is lost, run ./geolookup secrets and use --unauthenticated"
      fi
      scripts/compose/secrets.sh >&2
    fi
    # At its own path, which the command prints.
    set -- --volume "$secrets/backup-key:$secrets/backup-key:ro" --env "BACKUP_KEY_FILE=$secrets/backup-key" "$@"
    ;;
  esac
  if [ "$command" = doctor ] || [ "$command" = upgrade ]; then set -- --env "PARTS=$(echo $parts | tr ' ' ,)" "$@"; fi
  if [ -n "$environment" ]; then set -- --env "TRUST_PROXY=$(echo "$environment" | sed -n 's/^TRUST_PROXY=//p')" "$@"; fi
  if echo "$environment" | grep -q '^TLS_CERT_FILE=/'; then
    set -- --env API_URL=https://public:8080 "$@"
  fi
  exec scripts/compose/compose.sh --progress quiet run --rm --no-deps --no-TTY --volume "$backups:/app/backups" \
    "$@"
fi
make --silent node_modules/.package-lock.json
if [ "$command" = data ]; then
  export npm_config_registry="${npm_config_registry:-$(npm config get registry 2>/dev/null)}"
fi
PATH=$PWD/node_modules/.bin:$PATH exec node scripts/program/main.ts "$@"
