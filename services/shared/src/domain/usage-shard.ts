import type { ErrorCode } from "./errors.ts";

/** Number of shards of quotas. Each has its own usage messages, so a flush sends only changed shards. */
export const SHARD_COUNT = 64;

const SEPARATOR = "/";

/**
 * The name under which a key's requests are counted: the key's ID if its quota is its own, and `<quota ID>/<key ID>` if it counts toward
 * the quota of a customer or of the key that it succeeds. It is part of stored entries.
 */
export function accountOf(quotaId: string, keyId: string): string {
  return quotaId === keyId ? keyId : `${quotaId}${SEPARATOR}${keyId}`;
}

/** The ID of the quota that an account counts toward. */
export function quotaOf(account: string): string {
  const at = account.indexOf(SEPARATOR);
  return at === -1 ? account : account.slice(0, at);
}

/** The ID of the key whose requests an account counts. */
export function keyOf(account: string): string {
  return account.slice(account.indexOf(SEPARATOR) + 1);
}

/** The name under which a key's requests that were refused with an error code are counted. It is part of stored entries. */
export function refusalName(keyId: string, code: ErrorCode): string {
  return `${keyId} ${code}`;
}

/**
 * The shard of a quota and of all its accounts, from 0: FNV-1a over the UTF-16 units of the quota's ID. It is part of stored subjects, so
 * it must never change.
 */
export function shardOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < account.length && account[index] !== SEPARATOR; index++)
    hash = Math.imul(hash ^ account.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARD_COUNT;
}
