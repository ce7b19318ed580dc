#!/bin/sh
# Removes geolookup from the cluster of the current kubectl context. By default, volumes and secrets stay.
set -eu
cd "$(dirname "$0")/../.."
. scripts/kubernetes/cluster.sh

usage() {
  cat <<'TEXT'
Usage: ./geolookup kubernetes down [--delete-data]

Stops geolookup in the cluster of the current kubectl context. Gateways first publish their counts.
Volumes, Secrets and ConfigMaps stay, so that ./geolookup kubernetes up continues with the same keys and counts.

  --delete-data  also deletes the namespace geolookup with all volumes: keys and counts are lost
TEXT
}
fail() {
  echo "kubernetes-down: $*" >&2
  exit 1
}
for argument in "$@"; do
  case $argument in --help | -h)
    usage
    exit 0
    ;;
  esac
done
deletes_data=
for argument in "$@"; do
  case $argument in
    --delete-data) deletes_data=yes ;;
    *)
      echo "kubernetes-down: unknown argument $argument" >&2
      echo >&2
      usage >&2
      exit 2
      ;;
  esac
done
require_cluster kubernetes-down
uses_kubernetes || fail "./geolookup kubernetes up didn't install geolookup into $(current_cluster). Set KUBERNETES=on to remove it anyway"
echo "kubernetes-down: removing geolookup from $(current_cluster)" >&2

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
  echo "kubernetes-down: everything is deleted" >&2
else
  echo "kubernetes-down: keys, counts and geo data stay in the volumes" >&2
fi
