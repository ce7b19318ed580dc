import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { IssuedKey } from "./key.ts";
import type { KeyOrder } from "./key-columns.ts";
import { type KeyFilter, type KeyPage, matcher, sendable } from "./key-listing.ts";
import type { KeyRows } from "./key-tables.ts";

export interface KeySort {
  order: KeyOrder;
  isDescending: boolean;
}

/** Takes about 5 ms, after which auth serves gateways. Checking a filter takes ten times as long as comparing. */
const COMPARED_PER_TURN = 5_000;
const FILTERED_PER_TURN = 500;
/** Takes about two seconds. */
const MAX_FILTERED = 400_000;

/** `Shop 2` comes before `Shop 10`, and uppercase makes no difference. */
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });

/**
 * Returns a page of the matching keys, sorted. Equal keys are in the order of issue. Nothing is kept between calls: each call
 * scans all keys and collects those of the page.
 * @param page.after the last key of the previous page; null for the first page. It must exist.
 * @throws ServiceError `precondition` if a filter has to check too many keys.
 */
export async function sortedPageOf(
  keys: KeyRows,
  sort: KeySort,
  { filter, after, pageSize }: { filter: KeyFilter; after: string | null; pageSize: number },
): Promise<KeyPage> {
  const matches = matcher(filter);
  const compare = comparison(sort);
  const positionOf = (row: number): Position => ({ row, text: keys.sortText(row, sort.order) });
  const start = after === null ? undefined : keys.rowOf(after);
  const afterPosition = start === undefined ? null : positionOf(start);
  /** The first matches so far, in order: those of the page, and one more if there is another page. */
  const first: (Position & { key: IssuedKey })[] = [];
  let filtered = 0;
  const count = keys.count();
  for (let passed = 0; passed < count; passed++) {
    if (passed % COMPARED_PER_TURN === COMPARED_PER_TURN - 1) await nextTurn();
    // Rows are scanned in the sort direction: a key equal to the page's last one comes after it, and is skipped here.
    const position = positionOf(sort.isDescending ? count - 1 - passed : passed);
    if (afterPosition !== null && compare(position, afterPosition) <= 0) continue;
    const last = first.length > pageSize ? first.at(-1) : undefined;
    if (last !== undefined && compare(position, last) >= 0) continue;
    filtered += 1;
    if (filtered > MAX_FILTERED) throw tooMany();
    if (filtered % FILTERED_PER_TURN === 0) await nextTurn();
    const key = keys.at(position.row);
    if (!matches(key)) continue;
    first.splice(insertionPoint(first, position, compare), 0, { ...position, key });
    if (first.length > pageSize + 1) first.pop();
  }
  const page = sendable(first.slice(0, pageSize).map(({ key }) => key));
  return { keys: page, lastKeyId: first.length > page.length ? (page.at(-1)?.keyId ?? null) : null };
}

interface Position {
  row: number;
  text: string;
}
type Compare = (one: Position, other: Position) => number;

function comparison({ isDescending }: KeySort): Compare {
  const direction = isDescending ? -1 : 1;
  return (one, other) =>
    direction * ((one.text === other.text ? 0 : COLLATOR.compare(one.text, other.text)) || one.row - other.row);
}

function insertionPoint(sorted: readonly Position[], position: Position, compare: Compare): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(position, sorted[middle] as Position) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function tooMany(): ServiceError {
  return new ServiceError(
    "precondition",
    `too many keys to search and sort them: the limit is ${MAX_FILTERED.toLocaleString("en")}. Search in the order of issue`,
  );
}
