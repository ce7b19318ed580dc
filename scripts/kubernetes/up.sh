#!/bin/sh
# Installs or updates geolookup in the cluster of the current kubectl context: creates the secrets, builds the images or takes those
# of GEOLOOKUP_IMAGE, applies an overlay, and waits until everything is ready.
set -eu
cd "$(dirname "$0")/../.."
command=kubernetes-up
. scripts/kubernetes/cluster.sh
READY_WITHIN_SECONDS=600

overlay=infra/kubernetes/overlays/demo
while [ $# -gt 0 ]; do
  case $1 in
    --overlay)
      [ $# -ge 2 ] || usage_error "--overlay needs a folder" "kubernetes up"
      overlay=$2
      shift 2
      ;;
    --overlay=?*)
      overlay=${1#--overlay=}
      shift
      ;;
    *) usage_error "unknown argument $1" "kubernetes up" ;;
  esac
done
[ -f "$overlay/kustomization.yaml" ] || fail "there is no $overlay/kustomization.yaml"
require_cluster
say "installing into $(current_cluster)"

rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$overlay" >"$rendered" 2>"$rendered.errors" || {
  cat "$rendered.errors" >&2
  rm -f "$rendered.errors"
  fail "$overlay doesn't render"
}
rm -f "$rendered.errors"

load() { # IMAGE: into the nodes of a local cluster
  case $(kubectl config current-context) in
    kind-*) kind load docker-image "$1" --name "$(kubectl config current-context | sed 's/^kind-//')" ;;
    minikube) minikube image load "$1" ;;
  esac
}
scripts/compose/secrets.sh >&2
wanted=$(sed -n 's/^[ -]*image: \(geolookup-[a-z-]*\)$/\1/p' "$rendered" | sort -u)
published=$(setting GEOLOOKUP_IMAGE)
if [ -n "$published" ]; then
  sed -i "s|^\([ -]*image: \)geolookup\(-[a-z-]*\)\$|\1$published\2|" "$rendered"
elif [ -n "$wanted" ]; then
  say "building the images"
  COMPOSE_PROJECT_NAME=geolookup-kubernetes scripts/compose/build.sh >&2 || fail "the images can't be built"
  for image in $wanted; do
    built=geolookup-kubernetes-${image#geolookup-}
    tag=$(docker image inspect --format '{{.Id}}' "$built" | cut -d : -f 2 | cut -c 1-12)
    docker tag "$built" "$image:$tag"
    load "$image:$tag" >&2 || fail "$image can't be loaded into the nodes"
    sed -i "s|^\([ -]*image: $image\)\$|\1:$tag|" "$rendered"
  done
fi

kubectl apply --filename infra/kubernetes/base/namespace.yaml >/dev/null
apply_secrets
say "applying $overlay"
# A Job can't be changed.
in_cluster delete job nats-setup --ignore-not-found >/dev/null
applied=$(kubectl apply --filename "$rendered") || fail "$overlay can't be applied"
echo "$applied" | grep -v ' unchanged$' >&2 || true
[ -n "$(in_cluster get deployment tools --output name)" ] || fail "$overlay doesn't install into the namespace $namespace"
current_cluster >"$installed_file"

say "waiting until every pod is ready"
deadline=$(($(date +%s) + READY_WITHIN_SECONDS))
for workload in $(in_cluster get statefulset,deployment --output name); do
  left=$((deadline - $(date +%s)))
  if ! in_cluster rollout status "$workload" --timeout "$((left > 1 ? left : 1))s" >/dev/null; then
    in_cluster get pods >&2
    in_cluster get events --field-selector type=Warning --output custom-columns=:.involvedObject.name,:.message 2>/dev/null | sort -u | tail -n 10 >&2
    in_cluster logs "$workload" --tail 10 >&2 || true
    fail "$workload isn't ready; its last log lines are above. Fix the cause and run this again"
  fi
done
scripts/kubernetes/tool.sh upgrade --finish >&2 ||
  say "when every process runs this version, run ./geolookup upgrade --finish"
cat <<'TEXT'

geolookup is running. Operator commands, such as ./geolookup keys and ./geolookup doctor, now work on this cluster.

  kubectl -n geolookup port-forward service/gateway 8080:80
  curl http://127.0.0.1:8080/v1/geo
  ./geolookup keys issue --kind secret --plan paid --label first

docs/kubernetes.md says how to expose and operate it.
TEXT
