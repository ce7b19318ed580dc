# shellcheck shell=sh
# Functions of rotate-certificates.sh for the cluster of the current kubectl context. Its NATS and Redis don't
# use the certificates in secrets/.

check_processes() {
  require_cluster
  say "using Kubernetes, $(current_cluster)"
  if issues_certificates; then fail "cert-manager renews the certificates in this cluster; see docs/kubernetes.md"; fi
  [ -n "$(in_cluster get configmap settings --ignore-not-found --output jsonpath='{.data.INTERNAL_TLS_CA_FILE}')" ] ||
    fail "the pods don't use TLS between each other; see docs/kubernetes.md"
}
is_running() {
  [ -n "$(pods_of auth)" ]
}
exists() { # POD
  [ -n "$(in_cluster get "$1" --ignore-not-found --output name)" ]
}
# When a process loaded the files that it uses, Unix seconds; 0 if it doesn't respond.
loaded_at() { # POD
  in_cluster exec "$1" -- node -e "$read_loaded_at" 2>/dev/null || echo 0
}
# Copies the files to every pod, and waits until its process uses those that changed after SINCE, in Unix seconds.
load_everywhere() { # SINCE
  apply_secrets
  for service in auth geo geo-data usage portal gateway; do
    [ -n "$(pods_of "$service")" ] || continue
    wait_for_secret "$service" /run/internal-tls/ca.crt "$secrets/internal-tls/$service/ca.pem"
    wait_for_secret "$service" /run/internal-tls/tls.crt "$secrets/internal-tls/$service/cert.pem"
    for pod in $(pods_of "$service"); do
      wait_until_loaded "$1" "$pod" "$pod" "kubectl -n $namespace logs $pod"
    done
  done
}
