#!/bin/sh
# Removes geolookup from the cluster of the current kubectl context. By default, volumes and secrets stay.
set -eu
cd "$(dirname "$0")/../.."
command=kubernetes-down
. scripts/kubernetes/cluster.sh
deletes_data=
for argument in "$@"; do
  case $argument in
    --delete-data) deletes_data=yes ;;
    *) usage_error "unknown argument $argument" "kubernetes down" ;;
  esac
done
require_cluster
uses_kubernetes || fail "./geolookup kubernetes up didn't install geolookup into $(current_cluster). Set KUBERNETES=on to remove it anyway"
say "removing geolookup from $(current_cluster)"

# Gateways publish their counts to NATS when they end, so they end first.
ours=app.kubernetes.io/name=geolookup
in_cluster delete statefulset,deployment --selector "$(selector_of gateway)" --cascade=foreground --ignore-not-found >/dev/null
in_cluster delete statefulset,deployment,job,hpa,pdb,service,networkpolicy \
  --selector "$ours" --cascade=foreground --ignore-not-found >/dev/null
if [ -n "$deletes_data" ]; then
  kubectl delete namespace "$namespace" --ignore-not-found >/dev/null
fi
rm -f "$installed_file"
if [ -n "$deletes_data" ]; then
  say "everything is deleted"
else
  say "keys, counts and geo data stay in the volumes"
fi
