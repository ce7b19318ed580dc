#!/bin/sh
# Pulls the images of GEOLOOKUP_IMAGE, unless they are here. Without it, builds them, one by one: that leaves CPU time for running
# containers, and Docker Engine 20.10 can crash when it builds several at once.
set -eu
cd "$(dirname "$0")/../.."
command=images
. scripts/compose/settings.sh
# For the image labels.
VERSION=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)
export VERSION REVISION
services="tools gateway auth geo usage portal"
published=$(setting GEOLOOKUP_IMAGE)
if [ -z "$published" ]; then
  for service in $services; do
    scripts/compose/compose.sh --profile tools build "$service"
  done
  exit
fi
# shellcheck disable=SC2086
scripts/compose/compose.sh --profile tools pull --quiet --policy missing $services ||
  fail "the images of GEOLOOKUP_IMAGE=$published can't be pulled"
# Settings and scripts are those of this folder.
version=$(docker image inspect --format '{{index .Config.Labels "org.opencontainers.image.version"}}' "$published-tools")
[ "$version" = "$VERSION" ] ||
  fail "GEOLOOKUP_IMAGE=$published has version $version, and this folder version $VERSION: set GEOLOOKUP_IMAGE to images of $VERSION," \
    "or check out v$version"
