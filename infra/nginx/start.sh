#!/bin/sh
# Starts nginx in Compose with site.conf, which includes a file with EDGE_TOKEN.
set -eu
umask 077
# Backslashes and quotes are escaped for nginx. Only the directive geo can set a variable that contains $.
token=$(printf %s "${EDGE_TOKEN:-}" | sed 's/[\\"]/\\&/g')
printf 'geo $edge_token {\n  default "%s";\n}\n' "$token" >/tmp/edge-token.conf
# Until nginx has read its configuration, it logs to standard error.
exec nginx -e stderr -c /etc/geolookup/site.conf -g "daemon off; pid /tmp/nginx.pid;"
