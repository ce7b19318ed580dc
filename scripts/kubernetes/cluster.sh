# shellcheck shell=sh
# Functions for scripts that work on the cluster of the current kubectl context. Source it from the repository's root.
. scripts/compose/settings.sh
namespace=geolookup
# Records the cluster that ./geolookup kubernetes up installed geolookup into.
installed_file=$secrets/kubernetes/cluster

in_cluster() {
  kubectl --namespace "$namespace" "$@"
}
current_cluster() { # its context and address
  kubectl config view --minify --output jsonpath='{.current-context} {.clusters[0].cluster.server}' 2>/dev/null
}
# Whether operator commands are for Kubernetes: if KUBERNETES=on, or if ./geolookup kubernetes up has installed geolookup into the
# cluster of the current context. Another context is never used by accident.
uses_kubernetes() {
  case ${KUBERNETES:-} in
    on) return 0 ;;
    off) return 1 ;;
    '') [ -s "$installed_file" ] && command -v kubectl >/dev/null && [ "$(current_cluster)" = "$(cat "$installed_file")" ] ;;
    *) fail "KUBERNETES must be on, off or unset" ;;
  esac
}
require_cluster() {
  command -v kubectl >/dev/null || fail "kubectl is missing: install it (https://kubernetes.io/docs/tasks/tools/)"
  problem=$(kubectl get --raw /version --request-timeout 10s 2>&1 >/dev/null) ||
    fail "no response from the cluster of the current kubectl context: $problem"
}
selector_of() { # COMPONENT
  echo "app.kubernetes.io/name=geolookup,app.kubernetes.io/component=$1"
}
pods_of() { # COMPONENT: its running pods, as pod/NAME
  in_cluster get pods --selector "$(selector_of "$1")" --field-selector status.phase=Running --output name
}
# Writes the Secrets from the files in secrets/ and applies them.
apply_secrets() {
  SECRETS_DIR=$secrets ./geolookup kubernetes secrets >/dev/null
  in_cluster apply --filename "$secrets/kubernetes/secrets.json" >/dev/null
  issues_certificates || in_cluster apply --filename "$secrets/kubernetes/internal-tls.json" >/dev/null
}
# Whether cert-manager issues the certificates for TLS between processes: in the cluster, or with the manifests that are
# about to be applied.
issues_certificates() {
  if [ -n "${rendered:-}" ] && grep -q '^  secretName: internal-tls-gateway$' "$rendered"; then return; fi
  [ -n "$(in_cluster get secret internal-tls-gateway --ignore-not-found \
    --output jsonpath='{.metadata.annotations.cert-manager\.io/certificate-name}')" ]
}
# Waits until all pods of a component have the new content of a secret file. Kubelets update files within two minutes, or
# at once when the pod changes, so an annotation changes it.
wait_for_secret() { # COMPONENT PATH-IN-POD FILE
  in_cluster annotate pod --selector "$(selector_of "$1")" --overwrite "geolookup/secrets-changed-at=$(date +%s)" >/dev/null
  for pod in $(pods_of "$1"); do
    waited=0
    until read_in_pod "$1" "$pod" "$2" | cmp -s - "$3"; do
      waited=$((waited + 1))
      if [ "$waited" -gt 150 ]; then
        echo "$pod doesn't have the new content of $3 after 150 s" >&2
        return 1
      fi
      sleep 1
    done
  done
}
read_in_pod() { # COMPONENT POD PATH
  case $1 in
    redis | nats) in_cluster exec "$2" -- cat "$3" 2>/dev/null ;;
    # Images without a shell have no cat.
    *) in_cluster exec "$2" -- node -e 'process.stdout.write(require("node:fs").readFileSync(process.argv[1]))' "$3" 2>/dev/null ;;
  esac
}
restart_and_wait() { # WORKLOAD…: replaces pods one by one
  for workload in "$@"; do
    in_cluster rollout restart "$workload" >/dev/null
  done
  for workload in "$@"; do
    in_cluster rollout status "$workload" --timeout 600s >/dev/null
  done
}
