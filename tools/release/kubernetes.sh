#!/bin/sh
# Packs the Kubernetes manifests of a release, whose base names each image by its digest: `kubernetes.sh VERSION IMAGES FOLDER`. IMAGES
# is a file with published images, one per line: REPOSITORY:VERSION-SERVICE@DIGEST. Writes geolookup-kubernetes-VERSION.tar.gz
# into FOLDER.
set -eu
infra=$(dirname "$0")/../../infra
name=geolookup-kubernetes-$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"
cp -r "$infra/kubernetes" "$infra/nats" "$infra/redis" "$work/$name"
base=$work/$name/kubernetes/base
echo images: >>"$base/kustomization.yaml"
for image in $(sed -n 's/^ *image: \(geolookup-[a-z-]*\)$/\1/p' "$base"/*.yaml | sort -u); do
  line=$(grep -F ":$1-${image#geolookup-}@" "$2") || {
    echo "$2 doesn't have $image" >&2
    exit 1
  }
  echo "  - { name: $image, newName: ${line%":$1-"*}, digest: ${line#*@} }" >>"$base/kustomization.yaml"
done
# The same bytes each time.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --directory "$work" --create "$name" |
  gzip --no-name >"$3/$name.tar.gz"
