#!/bin/sh
# Run before the first start with accounts.conf: makes the streams that a single server created without accounts those of the
# account STREAMS, in a store of its own: STORE-FOLDER/accounts, the server's store_dir from then on. They stay in their folders, where
# an earlier version still finds them. In the same store, the server's health check would miss them in their earlier account.
# Usage: `link-streams.sh STORE-FOLDER`
set -eu
cd "$1"
[ ! -e accounts/streams-linked ] || exit 0
mkdir -p accounts/jetstream/STREAMS/streams
for stream in AUDIT IDEMPOTENCY KEYS KEY_MARKS OPERATORS USAGE USAGE_MONTHS; do
  [ ! -d "jetstream/\$G/streams/$stream" ] ||
    ln -sfn "../../../../jetstream/\$G/streams/$stream" "accounts/jetstream/STREAMS/streams/$stream"
done
# Once only: later, a folder may be an old one, because a restore replaces its link by another stream.
touch accounts/streams-linked
