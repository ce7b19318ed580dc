#!/bin/sh
# Builds the images one by one. That leaves CPU time for running containers, and Docker Engine 20.10 can crash when it
# builds several at once.
set -eu
cd "$(dirname "$0")/../.."
# For the image labels.
VERSION=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)
export VERSION REVISION
for service in tools gateway auth geo usage portal; do
  scripts/compose/compose.sh --profile tools build "$service"
done
