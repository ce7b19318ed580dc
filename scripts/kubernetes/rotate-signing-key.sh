#!/bin/sh
# Adds a signing key in secrets/signing/ and in the cluster of the current kubectl context, and signs new keys with it once
# every auth pod knows it.
set -eu
cd "$(dirname "$0")/../.."
command=rotate
. scripts/kubernetes/cluster.sh
case ${1:-} in
  # Called after each change of the file.
  distribute)
    apply_secrets
    wait_for_secret auth /run/signing/signing-keys.json "$secrets/signing/signing-keys.json"
    ;;
  *)
    make --silent node_modules/.package-lock.json
    export SIGNING_KEYS_FILE="$secrets/signing/signing-keys.json"
    PATH=$PWD/node_modules/.bin:$PATH exec node scripts/kubernetes/rotate-signing-key.ts signing-key "$@"
    ;;
esac
