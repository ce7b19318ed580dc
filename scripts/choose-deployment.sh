# shellcheck shell=sh
# Finds the deployment that an operator command works on. Source it from the repository's root.
. scripts/kubernetes/cluster.sh

# Whether the Compose cluster has containers, running or not.
has_containers() {
  [ -s "$env_file" ] && command -v docker >/dev/null || return 1
  # Pods on the same engine have only the project's label, from images that Compose built.
  if ! containers=$(docker ps --all --quiet --filter "label=com.docker.compose.project=$project" \
    --filter label=com.docker.compose.oneoff=False 2>/dev/null); then
    docker_problem="the Docker engine isn't responding"
    return 1
  fi
  [ -n "$containers" ]
}
# The data folders of the services of make start and make cluster that run here as this user.
local_services() {
  {
    printf '%s\n' "$PWD/data" "$PWD/data/cluster"
    cat "${XDG_STATE_HOME:-${HOME:-}/.local/state}"/geolookup/services/* 2>/dev/null || true
  } | sort -u | while read -r folder; do
    pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$folder/service.json" 2>/dev/null) || continue
    if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then echo "${folder%/cluster}"; fi
  done | sort -u
}

# Sets $deployment to kubernetes, compose or local: the one that the environment names, or the only one that is here.
# `choose_deployment clusters` ignores services of make start and make cluster.
choose_deployment() {
  docker_problem='' choices=''
  if uses_kubernetes; then choices="KUBERNETES=on (Kubernetes, $(current_cluster))"; fi
  deployment=${choices:+kubernetes}
  if [ "${KUBERNETES:-}" = on ]; then return; fi
  if [ -n "${COMPOSE_PROJECT_NAME:-}" ]; then
    has_containers || fail "the Compose project $project has no containers${docker_problem:+: $docker_problem}. To start it, run make up"
    deployment=compose
    return
  fi
  if [ -n "${DATA_DIR:-}" ] && [ "${1:-}" != clusters ]; then
    deployment=local
    return
  fi
  found=${deployment:+1}
  if has_containers; then
    deployment=compose found=$((found + 1)) choices="${choices:+$choices, }COMPOSE_PROJECT_NAME=$project (Docker Compose)"
  fi
  services=$([ "${1:-}" = clusters ] || local_services)
  if [ -n "$services" ]; then
    while IFS= read -r each; do choices="${choices:+$choices, }DATA_DIR=$each (make start or make cluster)"; done <<LIST
$services
LIST
    # Of several of these, the command itself chooses.
    found=$((found + 1))
    deployment=${deployment:-local}
  fi
  if [ "${found:-0}" -gt 1 ]; then fail "geolookup runs here in several ways. Choose one: $choices"; fi
  if [ -z "$deployment" ] && [ -n "$docker_problem" ]; then say "$docker_problem, so a Compose cluster isn't found"; fi
  deployment=${deployment:-local}
}
