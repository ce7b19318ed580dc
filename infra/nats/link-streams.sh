#!/bin/sh
# Run before the first start with accounts.conf: makes the streams that a single server created without accounts those of the
# account STREAMS. They stay in their folders, where an earlier version still finds them. Usage: `link-streams.sh STORE-FOLDER`
set -eu
cd "$1"
[ ! -e streams-linked ] || exit 0
mkdir -p jetstream/STREAMS/streams
for stream in KEYS KEY_MARKS USAGE USAGE_MONTHS; do
  [ ! -d "jetstream/\$G/streams/$stream" ] || ln -sfn "../../\$G/streams/$stream" "jetstream/STREAMS/streams/$stream"
done
# Once only: later, a folder may be an old one, because a restore replaces its link by another stream.
touch streams-linked
