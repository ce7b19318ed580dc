import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { IssuedKey } from "./issued-key.ts";

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

export interface KeySort {
  order: KeyOrder;
  isDescending: boolean;
}

/** What keys can be sorted by, besides the order of issue. A key without a label is sorted by its ID. */
export type KeyOrder = "label" | "kind" | "plan" | "status";

/** Takes a few milliseconds, after which auth serves gateways. */
const KEYS_PER_TURN = 2_000;

/** `Shop 2` comes before `Shop 10`, and uppercase makes no difference. */
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });

/**
 * Returns a page of the matching keys, sorted. Equal keys are in the order of issue. Nothing is kept between calls: each call
 * scans all keys and collects those of the page.
 * @param keys in the order of issue.
 * @param page.afterIndex the index of the previous page's last key; null for the first page.
 */
export async function sortedPageOf(
  keys: readonly IssuedKey[],
  sort: KeySort,
  { filter, afterIndex, pageSize }: { filter: KeyFilter; afterIndex: number | null; pageSize: number },
): Promise<KeyPage> {
  const matches = matcher(filter);
  const compare = comparison(sort);
  // Keys can change, and new ones can come, between turns.
  const placeOf = (index: number): Place => ({ index, key: keys[index] as IssuedKey });
  const previous = afterIndex === null ? null : placeOf(afterIndex);
  /** The first matches so far, in order: those of the page, and one more if there is another page. */
  const first: Place[] = [];
  const count = keys.length;
  for (let passed = 0; passed < count; passed++) {
    if (passed > 0 && passed % KEYS_PER_TURN === 0) await nextTurn();
    const place = placeOf(sort.isDescending ? count - 1 - passed : passed);
    if (previous !== null && compare(place, previous) <= 0) continue;
    const last = first.length > pageSize ? first.at(-1) : undefined;
    if (last !== undefined && compare(place, last) >= 0) continue;
    if (!matches(place.key)) continue;
    first.splice(insertionPoint(first, place, compare), 0, place);
    if (first.length > pageSize + 1) first.pop();
  }
  const page = sendable(first.slice(0, pageSize).map(({ key }) => key));
  return { keys: page, lastKeyId: first.length > page.length ? (page.at(-1)?.keyId ?? null) : null };
}

interface Place {
  index: number;
  key: IssuedKey;
}
type Compare = (one: Place, other: Place) => number;

function comparison({ order, isDescending }: KeySort): Compare {
  const direction = isDescending ? -1 : 1;
  const textOf = ({ key }: Place) => (order === "label" ? key.label || key.keyId : key[order]);
  return (one, other) => {
    const [text, otherText] = [textOf(one), textOf(other)];
    return direction * ((text === otherText ? 0 : COLLATOR.compare(text, otherText)) || one.index - other.index);
  };
}

function insertionPoint(sorted: readonly Place[], place: Place, compare: Compare): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(place, sorted[middle] as Place) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
