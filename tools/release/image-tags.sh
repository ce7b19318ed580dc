#!/bin/sh
# Prints the names of a published image, separated by commas: `image-tags.sh IMAGE TARGET [SERVICE]`. IMAGE is what GEOLOOKUP_IMAGE
# is set to, such as ghcr.io/you/geolookup:0.3.0; with -distroless at its end, services have no shell. TARGET is one of
# infra/Dockerfile.
set -eu
case $2 in
  standalone) echo "$1" ;;
  tools) echo "$1-tools,$1-distroless-tools" ;;
  service) echo "$1-$3" ;;
  service-distroless) echo "$1-distroless-$3" ;;
esac
