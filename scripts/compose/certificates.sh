#!/bin/sh
# Creates the certificates for TLS between the Compose cluster's containers, in SECRETS_DIR (default secrets/):
#   internal-ca/ca.pem                           the CA: its key and its certificate. No container sees it
#   internal-tls/SERVICE/{ca,cert,key}.pem       what the containers, or in Kubernetes the pods, of a service see
#
#   certificates.sh                creates what is missing, and changes nothing else
#   certificates.sh authority FILE creates another CA
#   certificates.sh renew FILE     gives every service a new certificate of that CA
set -eu
cd "$(dirname "$0")/../.."
command=certificates
. scripts/compose/settings.sh
umask 077
# The operator's commands have a certificate, and so has the setup step, for NATS. geo-data runs only in Kubernetes (./geolookup kubernetes secrets).
services="gateway auth geo geo-data usage portal setup operator nats redis"
ca_days=3650
leaf_days=365

run_openssl() {
  said=$(openssl "$@" 2>&1) || fail "openssl couldn't make a certificate: $said"
}
new_key() { # FILE
  run_openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$1"
}
random_hex() {
  head -c 10 /dev/urandom | od -A n -t x1 | tr -d ' \n'
}

make_authority() { # FILE
  mkdir -p "$(dirname "$1")"
  new_key "$work/ca.key"
  # A unique name, because two CAs are trusted while one replaces the other.
  run_openssl req -x509 -new -key "$work/ca.key" -out "$work/ca.crt" -days "$ca_days" -subj "/CN=geolookup CA $(random_hex)"
  # One file, so that it is complete or missing.
  cat "$work/ca.key" "$work/ca.crt" >"$1.partial"
  mv "$1.partial" "$1"
}
# Writes new cert.pem and key.pem of a service into a folder. The second name is the host name in the Compose network, and
# the NATS user.
make_leaf() { # SERVICE AUTHORITY FOLDER
  new_key "$3/key.pem.new"
  run_openssl req -new -key "$3/key.pem.new" -out "$work/request.csr" -subj "/CN=$1"
  printf 'basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:%s.geolookup.internal,DNS:%s\n' "$1" "$1" >"$work/extensions"
  # In two steps, because LibreSSL and OpenSSL before 3.0 can't sign in one.
  run_openssl x509 -req -in "$work/request.csr" -out "$3/cert.pem.new" -days "$leaf_days" -CA "$2" -CAkey "$2" \
    -set_serial "0x7$(random_hex)" -extfile "$work/extensions"
  own "$3/key.pem.new" "$3/cert.pem.new"
  mv "$3/key.pem.new" "$3/key.pem"
  mv "$3/cert.pem.new" "$3/cert.pem"
}
# Gives files to the user that containers run as.
own() { # FILE…
  if [ "$(id -u)" = 0 ]; then
    chown "$(stored APP_UID):$(stored APP_GID)" "$@"
  fi
}
make_missing() {
  missing= existing=
  for service in $services; do
    folder=$secrets/internal-tls/$service
    if [ -s "$folder/ca.pem" ] && [ -s "$folder/cert.pem" ] && [ -s "$folder/key.pem" ]; then
      existing="$existing $service"
    elif [ -e "$folder" ]; then
      fail "$folder must have ca.pem, cert.pem and key.pem: restore them from a backup, or delete the folder for new ones"
    else
      missing="$missing $service"
    fi
  done
  [ -n "$missing" ] || exit 0
  authority=$secrets/internal-ca/ca.pem
  # Without this CA, the certificates come from another one. Don't fail then: only Kubernetes needs geo-data's.
  if [ ! -s "$authority" ] && [ "$missing" = " geo-data" ]; then exit 0; fi
  if [ ! -s "$authority" ]; then
    [ -z "$existing" ] || fail "there is no $authority, which issued the certificates in $secrets/internal-tls: restore it from a" \
      "backup. Or add certificates for$missing. Or delete $secrets/internal-tls for new ones"
    make_authority "$authority"
    echo "secrets: wrote $authority"
  fi
  mkdir -p "$secrets/internal-tls"
  for service in $missing; do
    folder=$secrets/internal-tls/$service
    rm -rf "$folder.partial"
    mkdir "$folder.partial"
    openssl x509 -in "$authority" >"$folder.partial/ca.pem"
    make_leaf "$service" "$authority" "$folder.partial"
    mv "$folder.partial" "$folder"
  done
  own "$secrets/internal-ca" "$authority" "$secrets/internal-tls"
  for service in $missing; do own "$secrets/internal-tls/$service" "$secrets/internal-tls/$service"/*; done
  echo "secrets: wrote $secrets/internal-tls: certificates for$missing"
}

command -v openssl >/dev/null ||
  fail "openssl is missing, which makes the certificates for TLS between containers: install it (Debian: apt-get install openssl)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-missing} in
  missing) make_missing ;;
  authority)
    make_authority "$2"
    own "$2"
    ;;
  renew) for service in $services; do make_leaf "$service" "$2" "$secrets/internal-tls/$service"; done ;;
  *) fail "unknown action $1" ;;
esac
