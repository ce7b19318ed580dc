#!/bin/sh
# Builds the images one after another: what runs meanwhile keeps its processor time, and engines of version 20.10 may
# crash when they build several at once.
set -eu
cd "$(dirname "$0")/../.."
# For the labels of the images.
VERSION=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)
export VERSION REVISION
for service in tools gateway auth geo usage portal; do
  scripts/compose/compose.sh --profile tools build "$service"
done
