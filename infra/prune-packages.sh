#!/bin/sh
# Removes files from /app/node_modules that a running service never reads: tests, examples, documentation, types, source
# maps, npm's lockfile and cache. Licenses stay.
set -eu
cd /app/node_modules
rm -rf .package-lock.json .cache .bin "$HOME/.npm"
find . -depth -type d \( -name test -o -name tests -o -name __tests__ -o -name spec -o -name specs -o -name example \
  -o -name examples -o -name benchmark -o -name benchmarks -o -name .github \) -exec rm -rf {} +
find . -type f \( -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.map' -o -name '*.test.js' -o -name '*.test.[cm]js' \
  -o -name '*.spec.js' -o -name '*.spec.[cm]js' -o -name '.eslintrc*' -o -name .npmignore -o -name .editorconfig \
  -o -name .nycrc -o -name 'tsconfig*.json' \) -delete
find . -type f -name '*.md' ! -iname '*licen[cs]e*' ! -iname '*notice*' ! -iname '*copying*' -delete
