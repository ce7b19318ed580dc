import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import { compareTexts } from "./compare-texts.ts";
import type { IssuedKey, KeyStatus } from "./issued-key.ts";

/** Which keys to list. A missing property matches every key. */
export interface KeyFilter {
  /**
   * A part of the key ID, label, display form, an origin, the customer's ID or a metadata value, `name=value` of metadata, or `name=`;
   * case-insensitive.
   */
  search?: string;
  kind?: KeyKind;
  plan?: string;
  status?: KeyStatus;
}

/** Says what a key's status is now. */
export type StatusOf = (key: IssuedKey) => KeyStatus;

export interface KeyPage {
  keys: IssuedKey[];
  /** The key after which the next page begins; null on the last page. */
  lastKeyId: string | null;
}

/** Takes a few milliseconds, after which auth serves gateways. */
const KEYS_PER_TURN = 2_000;

/** Far below the limit of a gRPC message, which keys with long allowlists could reach. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Returns the first page of the matching keys. It can be short without being the last, because the length of a page is limited.
 * @param keyAt returns the keys in order, from where the page begins.
 * @param pageSize the maximum number of keys, at least 1.
 */
export async function pageOf(
  keyAt: (position: number) => IssuedKey | undefined,
  filter: KeyFilter,
  pageSize: number,
  statusOf: StatusOf,
): Promise<KeyPage> {
  const matches = matcher(filter, statusOf);
  const page: IssuedKey[] = [];
  let [position, key] = [0, keyAt(0)];
  for (; key && page.length < pageSize; position += 1, key = keyAt(position)) {
    if (position > 0 && position % KEYS_PER_TURN === 0) await nextTurn();
    if (matches(key)) page.push(key);
  }
  const keys = sendable(page);
  const isLast = key === undefined && keys.length === page.length;
  return { keys, lastKeyId: isLast ? null : (keys.at(-1)?.keyId ?? null) };
}

/** Some of all keys. */
export interface KeySelection {
  /** In the order of issue. */
  all: readonly IssuedKey[];
  /** Their places in `all`, ascending. Absent: all of them. */
  indexes?: readonly number[] | undefined;
}

/**
 * The selected keys from the first (or last) one, or from that after (or before) the place `afterIndex`. A generator of a million takes
 * longer than what is done with them.
 * @returns the key at a position from 0; undefined behind the last one.
 */
export function keysFrom(
  { all, indexes }: KeySelection,
  { afterIndex, isDescending }: { afterIndex: number | null; isDescending: boolean },
): (position: number) => IssuedKey | undefined {
  const step = isDescending ? -1 : 1;
  if (indexes) {
    const selected = indexes.filter((index) => afterIndex === null || (index - afterIndex) * step > 0);
    if (isDescending) selected.reverse();
    return (position) => all[selected[position] ?? all.length];
  }
  const start = (afterIndex ?? (isDescending ? all.length : -1)) + step;
  return (position) => all[start + position * step];
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
export function matcher(
  { search = "", kind, plan, status }: KeyFilter,
  statusOf: StatusOf,
): (key: IssuedKey) => boolean {
  const isFound = searcher(search.trim());
  return (key) =>
    (kind === undefined || key.kind === kind) &&
    (plan === undefined || key.plan === plan) &&
    isFound(key) &&
    (status === undefined || statusOf(key) === status);
}

/**
 * Whether a key has a text, in any case. Origins and customers' IDs are in lower case. The other texts are matched by a regular
 * expression, because converting a million of them takes several times as long.
 */
function searcher(searched: string): (key: IssuedKey) => boolean {
  if (searched === "") return () => true;
  const part = searched.toLowerCase();
  // Not of the lower case: that of İ has two characters, which don't match it.
  const pattern = new RegExp(RegExp.escape(searched), "iu");
  const has = (text: string) => pattern.test(text);
  const hasPart = (text: string) => text.includes(part);
  // What can't be part of an ID or a display form needn't be looked for in a million of them.
  const isInId = /^[0-9a-z_]+$/.test(part);
  const isInDisplay = part.length <= 4 || part.includes("…") || "geo_pk_ geo_sk_".includes(part);
  const separator = part.indexOf("=");
  const [partName, partValue] = [part.slice(0, separator), part.slice(separator + 1)];
  const isPair = (name: string, value: string) =>
    name.length === separator &&
    name.toLowerCase() === partName &&
    (partValue === "" || value.toLowerCase() === partValue);
  return ({ keyId, label, display, origins, customer, metadata }) => {
    if (
      (isInId && has(keyId)) ||
      has(label) ||
      (isInDisplay && has(display)) ||
      origins.some(hasPart) ||
      customer?.includes(part)
    )
      return true;
    for (const name in metadata) {
      const value = metadata[name] as string;
      if (has(value) || isPair(name, value)) return true;
    }
    return false;
  };
}

function lengthOf({ keyId, label, display, origins, metadata = {} }: IssuedKey): number {
  const texts = [keyId, label, display, ...origins, ...Object.entries(metadata).flat()];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

export interface KeySort {
  order: KeyOrder;
  isDescending: boolean;
}

/** What keys can be sorted by, besides the order of issue. A key without a label is sorted by its ID. */
export type KeyOrder = "label" | "kind" | "plan" | "status";

/**
 * Returns a page of the matching keys, sorted. Equal keys are in the order of issue. Nothing is kept between calls: each call
 * scans all selected keys and collects those of the page.
 * @param page.afterIndex the place of the previous page's last key; null for the first page.
 */
export async function sortedPageOf(
  { all, indexes }: KeySelection,
  sort: KeySort,
  page: { filter: KeyFilter; afterIndex: number | null; pageSize: number; statusOf: StatusOf },
): Promise<KeyPage> {
  const { filter, afterIndex, pageSize, statusOf } = page;
  const matches = matcher(filter, statusOf);
  const textOf = sortText(sort.order, statusOf);
  const direction = sort.isDescending ? -1 : 1;
  const compare = (text: string, index: number, place: Pick<Place, "index" | "text">) =>
    direction * ((text === place.text ? 0 : compareTexts(text, place.text)) || index - place.index);
  // Keys can change, and new ones can come, between turns.
  const keyAt = (index: number) => all[index] as IssuedKey;
  const previous = afterIndex === null ? null : { index: afterIndex, text: textOf(keyAt(afterIndex)) };
  /** The first matches so far, in order: those of the page, and one more if there is another page. */
  const first: Place[] = [];
  const count = (indexes ?? all).length;
  for (let passed = 0; passed < count; passed++) {
    if (passed > 0 && passed % KEYS_PER_TURN === 0) await nextTurn();
    const position = sort.isDescending ? count - 1 - passed : passed;
    const index = indexes ? (indexes[position] as number) : position;
    const key = keyAt(index);
    const text = textOf(key);
    if (previous !== null && compare(text, index, previous) <= 0) continue;
    const last = first.length > pageSize ? first.at(-1) : undefined;
    if (last !== undefined && compare(text, index, last) >= 0) continue;
    if (!matches(key)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(text, index, first[middle] as Place) < 0) high = middle;
      else low = middle + 1;
    }
    first.splice(low, 0, { index, key, text });
    if (first.length > pageSize + 1) first.pop();
  }
  const keys = sendable(first.slice(0, pageSize).map(({ key }) => key));
  return { keys, lastKeyId: first.length > keys.length ? (keys.at(-1)?.keyId ?? null) : null };
}

/** A key, with the text by which it is sorted. */
interface Place {
  index: number;
  key: IssuedKey;
  text: string;
}
function sortText(order: KeyOrder, statusOf: StatusOf): (key: IssuedKey) => string {
  if (order === "label") return ({ label, keyId }) => label || keyId;
  return order === "status" ? statusOf : (key) => key[order];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
