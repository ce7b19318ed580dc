#!/bin/sh
# Fails unless a tag has the version of every package: `check-tag.sh v0.3.0`.
set -eu
cd "$(dirname "$0")/../.."
wrong=
for file in package.json packages/*/package.json services/*/package.json; do
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$file")
  if [ "v$version" != "$1" ]; then
    echo "the tag is $1, and $file has version $version" >&2
    wrong=yes
  fi
done
[ -z "$wrong" ]
