#!/bin/sh
# Fetches geo data if there is none, then runs the service. npm runs this, so `node` is the installed one.
# Usage: scripts/start.sh PROGRAM
if [ -z "$GEO_DATABASES" ]; then node scripts/geo-data/main.ts --or-keep || exit; fi
exec node "$1"
