import type { KeyFilter } from "./backend.ts";
import { FormError } from "./forms.ts";
import { readSort, sortText, type TableSort } from "./table-sort.ts";

/** Which keys a page of the list shows, and how. It is the query of the page's URL. */
export interface KeyListQuery {
  filter: KeyFilter;
  sort: TableSort;
  /** The last key of the previous page; empty for the first page. */
  after: string;
  /** Whether each key has only one line, so that twice as many fit on a page. */
  isCompact: boolean;
}

export const KINDS: readonly string[] = ["publishable", "secret"];
/** The order of issue. */
export const INITIAL_SORT: TableSort = { column: "issued", isDescending: false };
/** Sorted by the usage service, which lists only the most used keys. */
export const USED_SORT: TableSort = { column: "used", isDescending: true };
const COLUMNS = ["label", "kind", "plan", "status", "issued"];
/** No searchable text is longer. */
const MAX_SEARCH_LENGTH = 400;

/** @throws FormError for an unknown kind. */
export function readKeyListQuery(query: URLSearchParams): KeyListQuery {
  const text = (name: string) => (query.get(name) ?? "").slice(0, MAX_SEARCH_LENGTH);
  const kind = text("kind");
  // Over gRPC, an unknown kind would become "unspecified", which matches every key.
  if (kind !== "" && !KINDS.includes(kind)) throw new FormError(400, "The kind must be publishable or secret.");
  const sort = text("sort");
  return {
    filter: { search: text("search").trim(), kind, plan: text("plan"), status: text("status") },
    sort: sort === sortText(USED_SORT) ? USED_SORT : readSort(sort, COLUMNS, INITIAL_SORT),
    after: text("after"),
    isCompact: text("view") === "compact",
  };
}

/** The page of the list. */
export function keyListPath(list: KeyListQuery): string {
  const query = keyListText(list);
  return query === "" ? "/console/keys" : `/console/keys?${query}`;
}

/** The query of a URL; empty for the first page of all keys. */
export function keyListText({ filter, sort, after, isCompact }: KeyListQuery): string {
  const order = sortText(sort);
  const entries = Object.entries({
    ...filter,
    sort: order === sortText(INITIAL_SORT) ? "" : order,
    view: isCompact ? "compact" : "",
    after,
  });
  return new URLSearchParams(entries.filter(([, value]) => value !== "")).toString();
}
