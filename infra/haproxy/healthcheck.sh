#!/bin/bash
# Exits with status 0 if HAProxy reports that a gateway is ready.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${OPS_PORT:-9464}"
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
# The engine stops waiting for a check that times out, but doesn't kill it.
read -t 3 -r _ status _ <&3
[ "$status" = 200 ]
