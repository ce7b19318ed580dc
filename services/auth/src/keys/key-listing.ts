import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { IssuedKey } from "./key.ts";

/** Which keys to list. A missing property matches every key. */
export interface KeyFilter {
  /** A part of the key ID, label, display form or an origin; case-insensitive. */
  search?: string;
  kind?: KeyKind;
  plan?: string;
  status?: IssuedKey["status"];
}

export interface KeyPage {
  keys: IssuedKey[];
  /** The key after which the next page begins; null on the last page. */
  lastKeyId: string | null;
}

/** Takes a few milliseconds: in between, auth serves gateways. */
const MAX_EXAMINED = 4_000;

/** Far below the limit of a gRPC message, which keys with long allowlists could reach. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Returns the first page of the matching keys. It can be short, or even empty, without being the last, because the number
 * of examined keys and the length of a page are limited.
 * @param keys in order, from where the page begins.
 * @param pageSize the maximum number of keys, at least 1.
 */
export function pageOf(keys: Iterable<IssuedKey>, filter: KeyFilter, pageSize: number): KeyPage {
  const matches = matcher(filter);
  const page: IssuedKey[] = [];
  let characters = 0;
  let examined = 0;
  let lastKeyId: string | null = null;
  for (const key of keys) {
    if (page.length >= pageSize || characters >= MAX_CHARACTERS || examined >= MAX_EXAMINED)
      return { keys: page, lastKeyId };
    examined += 1;
    lastKeyId = key.keyId;
    if (!matches(key)) continue;
    page.push(key);
    characters += lengthOf(key);
  }
  return { keys: page, lastKeyId: null };
}

/** The keys from the first (or last) one, or from that after (or before) `afterIndex`. */
export function* keysFrom(
  keys: readonly IssuedKey[],
  { afterIndex, isDescending }: { afterIndex: number | null; isDescending: boolean },
): Generator<IssuedKey> {
  const step = isDescending ? -1 : 1;
  const start = afterIndex ?? (isDescending ? keys.length : -1);
  for (let key = keys[start + step], index = start + step; key; index += step, key = keys[index]) yield key;
}

/** The keys of a page that aren't too long to send together, and at least the first one. */
export function sendable(keys: readonly IssuedKey[]): IssuedKey[] {
  let characters = 0;
  const end = keys.findIndex((key) => {
    characters += lengthOf(key);
    return characters >= MAX_CHARACTERS;
  });
  return end === -1 ? [...keys] : keys.slice(0, end + 1);
}

/** Whether a key matches a filter. */
export function matcher({ search = "", kind, plan, status }: KeyFilter): (key: IssuedKey) => boolean {
  const part = search.trim().toLowerCase();
  return (key) =>
    (kind === undefined || key.kind === kind) &&
    (plan === undefined || key.plan === plan) &&
    (status === undefined || key.status === status) &&
    (part === "" || textsOf(key).some((text) => text.toLowerCase().includes(part)));
}

function lengthOf(key: IssuedKey): number {
  return textsOf(key).reduce((sum, text) => sum + text.length, 0);
}

function textsOf({ keyId, label, display, origins }: IssuedKey): string[] {
  return [keyId, label, display, ...origins];
}
