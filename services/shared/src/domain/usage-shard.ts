/** Number of key shards. Each has its own usage messages, so a flush sends only changed shards. */
export const SHARD_COUNT = 64;

/** The shard of a key id, from 0: FNV-1a over its UTF-16 units. It is part of stored subjects, so it must never change. */
export function shardOf(keyId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < keyId.length; index++) hash = Math.imul(hash ^ keyId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARD_COUNT;
}
