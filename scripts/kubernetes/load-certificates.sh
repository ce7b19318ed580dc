# shellcheck shell=sh
# Functions of rotate-certificates.sh for the cluster of the current kubectl context. Its NATS and Redis have no certificates
# from here.

check_processes() {
  need_cluster rotate-certificates
  say "using Kubernetes, $(current_cluster)"
  if issues_certificates; then fail "cert-manager renews the certificates in this cluster; see docs/kubernetes.md"; fi
  [ -n "$(in_cluster get configmap settings --ignore-not-found --output jsonpath='{.data.INTERNAL_TLS_CA_FILE}')" ] ||
    fail "the pods don't use TLS between each other; see docs/kubernetes.md"
}
is_running() {
  [ -n "$(pods_of auth)" ]
}
# When a process loaded the files that it uses, Unix seconds; 0 if it doesn't respond.
loaded_at() { # POD
  in_cluster exec "$1" -- node -e "$read_loaded_at" 2>/dev/null || echo 0
}
# Gives the files to every pod, and waits until its process uses those that changed after SINCE, in Unix seconds.
load_everywhere() { # SINCE
  apply_secrets
  for service in auth geo geo-data usage portal gateway; do
    [ -n "$(pods_of "$service")" ] || continue
    wait_for_secret "$service" /run/internal-tls/ca.crt "$secrets/internal-tls/$service/ca.pem"
    wait_for_secret "$service" /run/internal-tls/tls.crt "$secrets/internal-tls/$service/cert.pem"
    for pod in $(pods_of "$service"); do
      waited=0
      while [ "$(loaded_at "$pod")" -lt "$1" ]; do
        waited=$((waited + 1))
        # A pod that has ended needs no files.
        [ -n "$(in_cluster get "$pod" --ignore-not-found --output name)" ] || break
        [ "$waited" -lt "$loaded_within_seconds" ] ||
          fail "$pod didn't load the new files; see kubectl -n $namespace logs $pod. Then run this again"
        sleep 1
      done
    done
  done
}
