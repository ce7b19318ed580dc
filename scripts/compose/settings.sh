# shellcheck shell=sh
# The settings of the Compose cluster: variables in the environment, or else in .env. Source it from the repository's root, with the
# script's name for messages in $command.
say() {
  echo "$command: $*" >&2
}
fail() {
  say "$*"
  exit 1
}
# For arguments that a script doesn't accept.
usage_error() { # MESSAGE COMMAND-LINE
  say "$1"
  echo "For help: ./geolookup $2 --help" >&2
  exit 2
}

env_file=${ENV_FILE:-.env}

stored() { # NAME: its value in .env, without quotes
  [ ! -f "$env_file" ] || sed -n "s/^$1=//p" "$env_file" | tail -n 1 | sed "s/^\(['\"]\)\(.*\)\1\$/\2/"
}
setting() { # NAME
  printenv "$1" || stored "$1"
}
store() { # NAME VALUE: writes it to .env, which keeps its owner and mode
  case $2 in
    *"'"* | *"
"*)
      echo "$1 has a quote or more than one line: set it in $env_file yourself" >&2
      return 1
      ;;
    *[!A-Za-z0-9_./:,@%+=-]*) stored_value="'$2'" ;;
    *) stored_value=$2 ;;
  esac
  cp -p "$env_file" "$env_file.partial"
  { grep -v "^$1=" "$env_file" || [ $? = 1 ]; printf '%s=%s\n' "$1" "$stored_value"; } >"$env_file.partial"
  mv "$env_file.partial" "$env_file"
}

# The settings in the environment that differ from .env. HTTPS_PROXY and the like aren't among them: a shell often has them for other
# programs, with a password.
changed_settings() {
  {
    # shellcheck disable=SC2046
    sed 's/\$\$//g' docker-compose.yml infra/compose/*.yml $(setting COMPOSE_OVERRIDES) | grep -o '\${[A-Z][A-Z0-9_]*' | cut -c 3-
    printf '%s\n' INTERNAL_TLS COMPOSE_PROFILES COMPOSE_OVERRIDES
  } | sort -u | while read -r name; do
    case $name in
      VERSION | REVISION) continue ;;
      COMPOSE_PROJECT_NAME) default=geolookup ;;
      *) default='' ;;
    esac
    if value=$(printenv "$name") && [ "$value" != "$(stored "$name" | grep . || echo "$default")" ]; then echo "$name"; fi
  done
}
# Writes the settings in the environment to .env, so that they stay in force without it.
keep_settings() {
  changed=$(changed_settings)
  [ -n "$changed" ] || return 0
  for name in $changed; do store "$name" "$(printenv "$name")" || return 1; done
  say "wrote to $env_file, so that the next commands use the same: "$changed
}
# Fails if settings in the environment would silently change the running cluster.
refuse_changed_settings() {
  changed=$(changed_settings)
  [ -z "$changed" ] || fail "this command doesn't change settings, and these in the environment aren't those of the cluster:" \
    $changed". To change them, run make up or make up-ha with them; to keep the cluster's, unset them"
}

# Fails if .env has a setting that this version no longer reads.
refuse_removed_settings() {
  case $(setting NETWORK_PREFIX) in *.*.*)
    fail "NETWORK_PREFIX has only two numbers since 0.3.0, the first ones of all networks: 172.31, for example"
    ;;
  esac
  while read -r name advice; do
    [ -z "$(stored "$name")" ] || fail "$name was removed in 0.3.0. Remove it from $env_file, and use $advice"
  done <<TABLE
OUTSIDE_PREFIX NETWORK_PREFIX to the first two numbers of all networks
FRONT_PREFIX NETWORK_PREFIX to the first two numbers of all networks
EDGE_PREFIX NETWORK_PREFIX to the first two numbers of all networks
SITE_PREFIX NETWORK_PREFIX to the first two numbers of all networks
REDIS_IMAGE the image in docker-compose.override.yml
NATS_IMAGE the image in docker-compose.override.yml
HAPROXY_IMAGE the image in docker-compose.override.yml
NGINX_IMAGE the image in docker-compose.override.yml
PROMETHEUS_IMAGE the image in docker-compose.override.yml
GRAFANA_IMAGE the image in docker-compose.override.yml
PROMETHEUS_RETENTION the command of Prometheus in docker-compose.override.yml
DISTROLESS_IMAGE the build argument in docker-compose.override.yml
NPM_REGISTRY npm_config_registry
IMAGE_TAG docker tag
SITE_PORT the ports of nginx in docker-compose.override.yml
MAXMIND_URL GEO_DATA_SOURCE=maxmind and GEO_DATA_URL
TABLE
}

secrets=$(setting SECRETS_DIR)
secrets=${secrets:-secrets}
project=$(setting COMPOSE_PROJECT_NAME)
project=${project:-geolookup}

containers_of() { # SERVICE: IDs of its containers, including stopped ones
  docker ps --all --quiet --filter "label=com.docker.compose.project=$project" --filter label=com.docker.compose.oneoff=False \
    --filter "label=com.docker.compose.service=$1"
}

is_number() {
  case $1 in '' | *[!0-9]* | 0* | ???*) return 1 ;; esac
}
# The variable in .env with the number of containers of a service.
number_variable() { # SERVICE
  echo "$1" | tr a-z A-Z
}
# Version 0.1 didn't store the numbers: takes those of the running cluster.
store_numbers() {
  for service in gateway auth geo usage portal; do
    variable=$(number_variable "$service")
    count=$(containers_of "$service" | wc -l)
    if [ -z "$(setting "$variable")" ] && [ "$count" -gt 1 ]; then store "$variable" "$((count))"; fi
    is_number "$(setting "$variable" | grep . || echo 1)" || {
      echo "$variable in $env_file must be a number from 1 to 99" >&2
      return 1
    }
  done
}
# Has Prometheus, if it exists, expect the numbers in .env.
update_expected() {
  [ -z "$(containers_of prometheus)" ] || scripts/compose/compose.sh --profile observability up --detach --no-deps prometheus
}
