import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { IssuedKey } from "./key.ts";

/** Which keys to list; what is left out matches every key. */
export interface KeyFilter {
  /** A part of the key id, the label, an origin or the display form, in any case of letters. */
  search?: string;
  kind?: KeyKind;
  plan?: string;
  status?: IssuedKey["status"];
}

export interface KeyPage {
  keys: IssuedKey[];
  /** The key after which the next page begins; null when no key is left. */
  lastKeyId: string | null;
}

/** Auth answers gateways in between: a page looks at no more keys than take some 20 ms. */
const MOST_LOOKED_AT = 4_000;

/** Keys may have long allowlists; far below what a gRPC message may hold. */
const MOST_CHARACTERS = 1_000_000;

/**
 * The first page of the keys that match. It may hold fewer keys than asked for, even none, although
 * more are to come: looking at keys, and what is sent of them, have limits.
 * @param keys in their order, from where the page begins.
 * @param pageSize the most keys of a page, 1 or more.
 */
export function pageOf(keys: Iterable<IssuedKey>, filter: KeyFilter, pageSize: number): KeyPage {
  const matches = matcher(filter);
  const page: IssuedKey[] = [];
  let characters = 0;
  let lookedAt = 0;
  let lastKeyId: string | null = null;
  for (const key of keys) {
    if (page.length >= pageSize || characters >= MOST_CHARACTERS || lookedAt >= MOST_LOOKED_AT)
      return { keys: page, lastKeyId };
    lookedAt += 1;
    lastKeyId = key.keyId;
    if (!matches(key)) continue;
    page.push(key);
    characters += textsOf(key).reduce((sum, text) => sum + text.length, 0);
  }
  return { keys: page, lastKeyId: null };
}

function matcher({ search = "", kind, plan, status }: KeyFilter): (key: IssuedKey) => boolean {
  const part = search.trim().toLowerCase();
  return (key) =>
    (kind === undefined || key.kind === kind) &&
    (plan === undefined || key.plan === plan) &&
    (status === undefined || key.status === status) &&
    (part === "" || textsOf(key).some((text) => text.toLowerCase().includes(part)));
}

function textsOf({ keyId, label, display, origins }: IssuedKey): string[] {
  return [keyId, label, display, ...origins];
}
