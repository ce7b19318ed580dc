#!/bin/sh
# Replaces a secret in secrets/ and in the cluster of the current kubectl context: `rotate-secret.sh NAME`. Called by
# scripts/compose/rotate-secret.sh, which has checked the name. Safe to run again after an interruption.
set -eu
cd "$(dirname "$0")/../.."
command=rotate-secret
. scripts/kubernetes/cluster.sh
. scripts/compose/secret-values.sh
umask 077
name=$1

replace() { # NAME: in secrets/
  random_secret >"$secrets/$1.next"
  [ -s "$secrets/$1.next" ] || fail "cannot write $secrets/$1.next"
  mv "$secrets/$1.next" "$secrets/$1"
}
has_workload() { # deployment/NAME or statefulset/NAME
  [ -n "$(in_cluster get "$1" --ignore-not-found --output name)" ]
}
require_workload() { # WORKLOAD WHAT
  has_workload "$1" || fail "$2 doesn't run in this namespace: change the password where it runs, write it to $secrets/, and see docs/kubernetes.md"
}
redis_cli() {
  in_cluster exec -i deployment/redis -- redis-cli "$@"
}

require_cluster
say "using Kubernetes, $(current_cluster)"
case $name in
  admin-token)
    replace "$name"
    apply_secrets
    restart_and_wait deployment/auth deployment/usage deployment/portal
    ;;
  ip-hash-secret)
    replace "$name"
    apply_secrets
    restart_and_wait statefulset/gateway
    ;;
  redis-password)
    require_workload deployment/redis Redis
    old=$(cat "$secrets/$name")
    replace "$name"
    new=$(cat "$secrets/$name")
    # Accept both until every pod has the new one. Open connections aren't affected.
    redis_passwords "$old" "$old" "$new"
    apply_secrets
    restart_and_wait statefulset/gateway
    # Redis's readiness probe uses the file.
    wait_for_secret redis "/run/secrets/$name" "$secrets/$name"
    redis_passwords "$new" "$new"
    ;;
  nats-passwords)
    require_workload statefulset/nats NATS
    for user in gateway auth usage setup operator; do replace "nats-$user-password"; done
    apply_secrets
    # Services read their file again for each connection, and NATS when it starts.
    for user in gateway auth usage; do
      wait_for_secret "$user" "/run/secrets/nats-$user-password" "$secrets/nats-$user-password"
    done
    restart_and_wait statefulset/nats
    ;;
esac
say "$name replaced"
