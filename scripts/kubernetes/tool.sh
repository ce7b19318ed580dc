#!/bin/sh
# Runs an operator command in the cluster of the current kubectl context: `tool.sh backup ARGUMENTS…`. Each runs in a new
# pod, from the template of the Deployment tools. Backups are copied from and to this machine.
set -eu
cd "$(dirname "$0")/../.."
command=$1
. scripts/kubernetes/cluster.sh
umask 077

require_cluster
say "using Kubernetes, $(current_cluster)"
case $command in
  rotate)
    shift 2
    exec scripts/kubernetes/rotate-signing-key.sh "$@"
    ;;
  # The geo data is in its own pod's volume.
  data) exec kubectl --namespace "$namespace" exec deployment/geo-data -- node scripts/program/main.ts "$@" ;;
esac

# Pods that are ending have no address any longer, but still run the version before.
if [ "$command" = upgrade ]; then
  ending=$(in_cluster get pods --selector app.kubernetes.io/name=geolookup \
    --output go-template='{{range .items}}{{if .metadata.deletionTimestamp}}pod/{{.metadata.name}} {{end}}{{end}}')
  # shellcheck disable=SC2086 # a list of names
  [ -z "$ending" ] || in_cluster wait --for delete $ending --timeout 120s >/dev/null ||
    fail "these pods are still ending, so nothing was recorded. Try again when they are gone: $ending"
fi

# Replaces the path of a backup on this machine with its path in the pod.
backups=$(setting BACKUPS_DIR)
backups=${backups:-backups}
folder=
case $command in backup | restore)
  for argument in "$@"; do
    shift
    case $argument in
      -* | "$command") ;;
      *)
        folder=$argument
        argument=backups/$(basename "$folder")
        ;;
    esac
    set -- "$@" "$argument"
  done
  case $folder in backups/*) folder=$backups/${folder#backups/} ;; esac
  ;;
esac
case $command in
  backup) [ -z "$folder" ] || [ ! -e "$folder" ] || fail "$folder already exists" ;;
  restore) [ -z "$folder" ] || [ -d "$folder" ] || fail "there is no folder $folder" ;;
esac

template=$(in_cluster get deployment tools --output json) ||
  fail "geolookup isn't installed in this cluster: run ./geolookup kubernetes up, or set KUBERNETES=off"
make --silent node_modules/.package-lock.json
pod=tools-$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' | cut -c 1-10)
trap 'kubectl --namespace "$namespace" delete pod "$pod" --ignore-not-found --wait=false --grace-period=1 >/dev/null' EXIT
trap 'exit 130' INT TERM
printf '%s\n' "$template" | PATH=$PWD/node_modules/.bin:$PATH node scripts/kubernetes/tools-pod.ts "$pod" | in_cluster create --filename - >/dev/null
in_cluster wait --for condition=Ready "pod/$pod" --timeout 120s >/dev/null || fail "the pod $pod didn't start: kubectl -n $namespace describe pod $pod"

stdin=
for argument in "$@"; do [ "$argument" != - ] || stdin=--stdin; done
# Messages name the commands for Kubernetes.
in_pod() {
  in_cluster exec $stdin "$pod" -- env DEPLOYMENT=kubernetes "$@"
}
# Relative paths are below /data, because the rest isn't writable.
run_command() {
  in_pod sh -c 'cd /data && exec node /app/scripts/program/main.ts "$@"' tool "$@"
}
# Every service that must run, as SERVICE=READY/EXPECTED.
parts() {
  in_cluster get deployments,statefulsets --no-headers \
    --output custom-columns=:.metadata.name,:.spec.replicas,:.status.readyReplicas |
    awk '$2 > 0 { printf "%s%s=%d/%d", separator, $1, $3, $2; separator = "," }'
}
# Copies the pod's backups to this machine, and the one that was named on the command line to $folder.
fetch_backups() {
  mkdir -p "$backups"
  chmod 700 "$backups"
  for each in $(in_pod ls /data/backups 2>/dev/null); do
    to=$backups/$each
    if [ -n "$folder" ] && [ "$each" = "$(basename "$folder")" ]; then to=$folder; fi
    [ -e "$to" ] || in_cluster cp "$pod:/data/backups/$each" "$to" >/dev/null
  done
}
# A restore may add signing keys. Pods can't write to Secrets, so it gets a copy, which then becomes the Secret.
ring=/data/signing-keys.json
install_ring() {
  in_pod cat "$ring" >"$secrets/signing/signing-keys.json.next"
  if cmp -s "$secrets/signing/signing-keys.json.next" "$secrets/signing/signing-keys.json"; then
    rm "$secrets/signing/signing-keys.json.next"
    return 0
  fi
  mv "$secrets/signing/signing-keys.json.next" "$secrets/signing/signing-keys.json"
  apply_secrets
  wait_for_secret auth /run/signing/signing-keys.json "$secrets/signing/signing-keys.json"
  echo "the Secret signing-keys and $secrets/signing/signing-keys.json have the added signing keys" >&2
}

status=0
case $command in
  backup)
    run_command "$@" || status=$?
    if [ "$status" = 0 ]; then fetch_backups; fi
    ;;
  restore)
    in_pod mkdir -p /data/backups
    if [ -n "$folder" ]; then in_cluster cp "$folder" "$pod:/data/backups/$(basename "$folder")" >/dev/null; fi
    in_cluster exec -i "$pod" -- sh -c "umask 077 && cat >$ring" <"$secrets/signing/signing-keys.json"
    in_pod env "SIGNING_KEYS_FILE=$ring" sh -c 'cd /data && exec node /app/scripts/program/main.ts "$@"' tool "$@" || status=$?
    fetch_backups
    install_ring
    ;;
  smoke | doctor | upgrade)
    tls=$(in_cluster get cm settings --output jsonpath='{.data.TLS_CERT_FILE}')
    in_pod env ${tls:+API_URL=https://gateway:80} "PARTS=$(parts)" \
      sh -c 'cd /data && exec node /app/scripts/program/main.ts "$@"' tool "$@" || status=$?
    ;;
  *) run_command "$@" || status=$? ;;
esac
exit "$status"
