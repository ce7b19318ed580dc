#!/bin/sh
# Packs both npm packages for a release into the current folder, with the address of the repository that they are released from:
# `pack.sh VERSION https://github.com/you/geolookup`. Otherwise, the server package is the one that docs hosts serve.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$root/packages/browser" "$work/browser"
mkdir "$work/server"
tar -xzf "$root/packages/server/versions/geolookup-server-$1.tgz" -C "$work/server" --strip-components 1
for name in browser server; do
  (
    cd "$work/$name"
    npm pkg set "homepage=$2#readme" repository.type=git "repository.url=git+$2.git" "repository.directory=packages/$name"
  )
  # Without scripts: the server package is built already.
  npm pack --silent --ignore-scripts "$work/$name"
done
