#!/bin/sh
# redis-cli for this container's server, with or without TLS.
set -eu
files=/run/internal-tls
if [ "$TLS_CONFIG" != /dev/null ]; then
  set -- --tls --cacert "$files/ca.pem" --cert "$files/cert.pem" --key "$files/key.pem" "$@"
fi
exec redis-cli "$@"
