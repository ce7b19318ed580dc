import { displayKey, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import type { KeyFilter } from "../deployment/reads.ts";
import { FormError } from "./forms.ts";

/** The order of the list. In URLs, `-` before the column means descending. */
export interface KeySort {
  column: string;
  isDescending: boolean;
}

/** Which keys a page of the list shows, and how. It is the query of the page's URL. */
export interface KeyListQuery {
  filter: Required<KeyFilter>;
  sort: KeySort;
  /** The last key of the previous page; empty for the first page. */
  after: string;
}

export const STATUSES: readonly string[] = ["active", "disabled", "expired", "rotated", "revoked"];
export const KINDS: readonly string[] = ["publishable", "secret"];
/** The order of issue. */
export const INITIAL_SORT: KeySort = { column: "issued", isDescending: false };
/** Sorted by the usage service, which lists only the most used keys. */
export const USED_SORT: KeySort = { column: "used", isDescending: true };
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
    sort: sort === sortText(USED_SORT) ? USED_SORT : readSort(sort),
    after: text("after"),
  };
}

/** The page of the list. */
export function keyListPath(list: KeyListQuery): string {
  const query = keyListText(list);
  return query === "" ? "/console/keys" : `/console/keys?${query}`;
}

/** The query of a URL; empty for the first page of all keys. */
export function keyListText({ filter, sort, after }: KeyListQuery): string {
  const order = sortText(sort);
  const entries = Object.entries({
    ...filter,
    sort: order === sortText(INITIAL_SORT) ? "" : order,
    after,
  });
  return new URLSearchParams(entries.filter(([, value]) => value !== "")).toString();
}

/** An unknown column gives the initial order, so that an outdated link still works. */
function readSort(text: string): KeySort {
  const isDescending = text.startsWith("-");
  const column = text.slice(isDescending ? 1 : 0);
  return COLUMNS.includes(column) ? { column, isDescending } : INITIAL_SORT;
}

export function sortText({ column, isDescending }: KeySort): string {
  return `${isDescending ? "-" : ""}${column}`;
}
