#!/bin/sh
# Builds the images one after another: what runs meanwhile keeps its processor time, and engines of version 20.10 may
# crash when they build several at once.
set -eu
cd "$(dirname "$0")/../.."
for service in tools gateway auth geo usage portal; do
  scripts/compose/compose.sh --profile tools build "$service"
done
