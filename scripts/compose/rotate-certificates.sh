#!/bin/sh
# Renews the certificates of TLS between the running cluster's processes, with Compose or Kubernetes, and with --ca their
# CA, while requests are served. Every step can be repeated, so it is safe to run again after an interruption.
set -eu
cd "$(dirname "$0")/../.."
command=rotate-certificates
. scripts/choose-deployment.sh
umask 077
certificates=scripts/compose/certificates.sh
authority=$secrets/internal-ca/ca.pem
# Exists while the CA is replaced.
next=$secrets/internal-ca/next.pem
loaded_within_seconds=60
# Prints when the process beside it loaded its files; 0 if that is unknown.
# shellcheck disable=SC2016
read_loaded_at='fetch(`http://127.0.0.1:${process.env.OPS_PORT || 9464}/metrics`)
  .then((response) => response.text())
  .then((text) => /^geolookup_internal_tls_files_loaded_timestamp_seconds (\d+)/m.exec(text)?.[1])
  .then((seconds) => console.log(seconds ?? 0), () => console.log(0))'
# Connections end after 35 s at most.
CONNECTIONS_END_AFTER_SECONDS=40

# Sets the CAs that every process trusts.
trust() { # AUTHORITY…
  for folder in "$secrets"/internal-tls/*/; do
    for file in "$@"; do openssl x509 -in "$file"; done >"$folder/ca.pem.new"
    [ -s "$folder/ca.pem.new" ] || fail "cannot write $folder/ca.pem"
    if [ "$(id -u)" = 0 ]; then
      chown "$(stored APP_UID):$(stored APP_GID)" "$folder/ca.pem.new"
    fi
    mv "$folder/ca.pem.new" "$folder/ca.pem"
  done
}
# Waits until a process uses the files that changed after SINCE, in Unix seconds.
wait_until_loaded() { # SINCE PROCESS SERVICE LOGS: the command that shows its log
  waited=0
  while [ "$(loaded_at "$2")" -lt "$1" ]; do
    waited=$((waited + 1))
    # A process that has ended needs no files.
    exists "$2" || return 0
    [ "$waited" -lt "$loaded_within_seconds" ] || fail "$3 didn't load the new files; see $4. Then run this again"
    sleep 1
  done
}
# Runs a command that changes the files, and waits until every process uses the result.
load_after() { # COMMAND…
  # The metric has whole seconds here, so an earlier step must not have ended in this one.
  sleep 1
  since=$(date +%s)
  "$@"
  if is_running; then load_everywhere "$since"; fi
}

replaces_ca=
for argument in "$@"; do
  case $argument in
    --ca) replaces_ca=yes ;;
    *) usage_error "unknown argument $argument" "rotate certificates" ;;
  esac
done
choose_deployment clusters
if [ "$deployment" = kubernetes ]; then
  . scripts/kubernetes/load-certificates.sh
else
  . scripts/compose/load-certificates.sh
fi
[ -d "$secrets" ] || fail "there is no $secrets, so geolookup isn't set up for Docker Compose or Kubernetes here." \
  "With make start, there are no certificates between processes"
[ -s "$authority" ] || fail "there is no $authority, so these aren't certificates of ./geolookup secrets: replace them in $secrets/internal-tls" \
  "as docs/security.md describes"
check_processes

# A service of a newer version may not have one yet.
"$certificates"
if [ -z "$replaces_ca" ] && [ ! -s "$next" ]; then
  load_after "$certificates" renew "$authority"
  say "every process has a new certificate"
  exit 0
fi
[ -s "$next" ] || "$certificates" authority "$next"
load_after trust "$authority" "$next"
say "every process trusts both CAs"
load_after "$certificates" renew "$next"
say "every process has a certificate of the new CA"
if is_running; then sleep "$CONNECTIONS_END_AFTER_SECONDS"; fi
load_after trust "$next"
mv "$next" "$authority"
say "the CA has been replaced"
