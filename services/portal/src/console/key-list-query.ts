import { displayKey, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { readSort, sortText, type TableSort } from "../data-report/table-sort.ts";
import type { KeyFilter } from "./backend.ts";
import { FormError } from "./forms.ts";
import { MAX_SELECTED } from "./selected-keys.ts";

/** Which keys a page of the list shows, and how. It is the query of the page's URL. */
export interface KeyListQuery {
  filter: KeyFilter;
  sort: TableSort;
  /** The last key of the previous page; empty for the first page. */
  after: string;
  /** The `after` of the pages that led to this one, the latest last; `-` for the first page. */
  trail: readonly string[];
  /** The number of the page's first key in the list; null if unknown. */
  from: number | null;
  /** Whether each key has only one line, so that twice as many fit on a page. */
  isCompact: boolean;
}

export const STATUSES: readonly string[] = ["active", "disabled", "expired", "rotated", "revoked"];
export const KINDS: readonly string[] = ["publishable", "secret"];
/** The order of issue. */
export const INITIAL_SORT: TableSort = { column: "issued", isDescending: false };
/** Sorted by the usage service, which lists only the most used keys. */
export const USED_SORT: TableSort = { column: "used", isDescending: true };
const PAGE_SIZE = 50;
/** All keys of a page can be selected together. */
const COMPACT_PAGE_SIZE = MAX_SELECTED;
/** How many pages one can go back. */
const MAX_TRAIL = 20;
const FIRST_PAGE = "-";
const TRAIL_SEPARATOR = ".";
const COLUMNS = ["label", "kind", "plan", "status", "issued"];
/** No searchable text is longer. */
const MAX_SEARCH_LENGTH = 400;

/** Of a key that is searched for, it has the display form. @throws FormError for an unknown kind. */
export function readKeyListQuery(query: URLSearchParams): KeyListQuery {
  const text = (name: string) => (query.get(name) ?? "").slice(0, MAX_SEARCH_LENGTH);
  const kind = text("kind");
  // Over gRPC, an unknown kind would become "unspecified", which matches every key.
  if (kind !== "" && !KINDS.includes(kind)) throw new FormError(400, "The kind must be publishable or secret.");
  const search = text("search").trim();
  const sort = text("sort");
  return {
    filter: {
      ...{ search: parseKey(search) ? displayKey(search) : search, kind, plan: text("plan"), status: text("status") },
      customer: text("customer").trim(),
    },
    sort: sort === sortText(USED_SORT) ? USED_SORT : readSort(sort, COLUMNS, INITIAL_SORT),
    after: text("after"),
    trail: text("trail")
      .split(TRAIL_SEPARATOR)
      .filter((entry) => entry !== ""),
    from: text("after") === "" ? 1 : numberOf(text("from")),
    isCompact: text("view") === "compact",
  };
}

/** The number of keys that fit on a page. */
export function pageSizeOf(isCompact: boolean): number {
  return isCompact ? COMPACT_PAGE_SIZE : PAGE_SIZE;
}

/** The next page. @param shown the number of keys on this one, which a long search can cut short. */
export function nextPageOf(list: KeyListQuery, after: string, shown: number): KeyListQuery {
  const trail = [...list.trail, list.after === "" ? FIRST_PAGE : list.after].slice(-MAX_TRAIL);
  const isFull = shown === pageSizeOf(list.isCompact);
  return { ...list, after, trail, from: list.from === null || !isFull ? null : list.from + shown };
}

/** The previous page; null on the first one, and if this page's URL doesn't say. */
export function previousPageOf(list: KeyListQuery): KeyListQuery | null {
  const previous = list.trail.at(-1);
  if (list.after === "" || previous === undefined) return null;
  const from = list.from === null ? null : Math.max(1, list.from - pageSizeOf(list.isCompact));
  return { ...list, after: previous === FIRST_PAGE ? "" : previous, trail: list.trail.slice(0, -1), from };
}

function numberOf(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The page of the list. */
export function keyListPath(list: KeyListQuery): string {
  const query = keyListText(list);
  return query === "" ? "/console/keys" : `/console/keys?${query}`;
}

/** The query of a URL; empty for the first page of all keys. */
export function keyListText({ filter, sort, after, trail, from, isCompact }: KeyListQuery): string {
  const order = sortText(sort);
  const entries = Object.entries({
    ...filter,
    sort: order === sortText(INITIAL_SORT) ? "" : order,
    view: isCompact ? "compact" : "",
    after,
    from: after === "" || from === null ? "" : String(from),
    trail: after === "" ? "" : trail.join(TRAIL_SEPARATOR),
  });
  return new URLSearchParams(entries.filter(([, value]) => value !== "")).toString();
}
