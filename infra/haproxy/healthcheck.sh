#!/bin/bash
# Ends with status 0 when HAProxy reports that a gateway is ready.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${OPS_PORT:-9464}"
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
# The engine gives a check up, but does not end it: one that hung would stay.
read -t 3 -r _ status _ <&3
[ "$status" = 200 ]
