/** Usage messages are cut into this many shards of keys, so that a flush sends only what changed. */
export const SHARD_COUNT = 64;

/** The shard of a key id, from 0: FNV-1a over its UTF-16 units. It is part of subjects at rest, so it never changes. */
export function shardOf(keyId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < keyId.length; index++) hash = Math.imul(hash ^ keyId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARD_COUNT;
}
