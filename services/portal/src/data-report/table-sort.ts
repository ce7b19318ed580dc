import { type Html, html } from "../html.ts";

/** The order of a table. In URLs, `-` before the column means descending. */
export interface TableSort {
  column: string;
  isDescending: boolean;
}

/** Reads an order from a URL. @returns `initial` for an unknown column, so that an outdated link still works. */
export function readSort(text: string | null, columns: readonly string[], initial: TableSort): TableSort {
  const isDescending = text?.startsWith("-") ?? false;
  const column = text?.slice(isDescending ? 1 : 0) ?? "";
  return columns.includes(column) ? { column, isDescending } : initial;
}

/** The order of one of a page's tables, and the page's URL with another one. */
export interface TableOrder {
  sort: TableSort;
  linkTo(sort: TableSort): string;
}

/** The orders of a page's tables, each in a separate parameter. Links keep the orders of the other tables. */
export function tableOrders(
  path: string,
  query: URLSearchParams,
): (parameter: string, columns: readonly string[], initial: TableSort) => TableOrder {
  return (parameter, columns, initial) => ({
    sort: readSort(query.get(parameter), columns, initial),
    linkTo(sort) {
      const next = new URLSearchParams(query);
      next.set(parameter, sortText(sort));
      return pathWith(path, next);
    },
  });
}

/** The parameters of a page's URL that its live updates need: the sort orders of its tables. */
export function orderQuery(url: string, parameters: readonly string[]): URLSearchParams {
  const sent = new URLSearchParams(url.split("?")[1] ?? "");
  const query = new URLSearchParams();
  for (const name of parameters) {
    const value = sent.get(name) ?? "";
    if (/^-?\w{1,20}$/.test(value)) query.set(name, value);
  }
  return query;
}

export function pathWith(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

export function sortText({ column, isDescending }: TableSort): string {
  return `${isDescending ? "-" : ""}${column}`;
}

/**
 * A column's heading: a link that sorts by it, or reverses the order if the table is sorted by it.
 * @param options.first the order of the first click. Default: ascending.
 * @param options.linkTo the page's URL with another order.
 */
export function sortHeading(
  label: string,
  options: {
    column: string;
    sort: TableSort;
    linkTo: (sort: TableSort) => string;
    first?: "descending";
    className?: "number" | "figure";
  },
): Html {
  const { column, sort, linkTo, first, className } = options;
  const isCurrent = sort.column === column;
  const isDescending = isCurrent ? !sort.isDescending : first === "descending";
  const state = isCurrent ? html` aria-sort="${sort.isDescending ? "descending" : "ascending"}"` : "";
  return html`<th scope="col"${className === undefined ? "" : html` class="${className}"`}${state}><a class="sort" href="${linkTo({ column, isDescending })}">${label}</a></th>`;
}

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Rows in order. Unknown values (null) come last in both directions, and equal rows stay in their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | number | null,
  isDescending: boolean,
): Row[] {
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "number" && typeof right === "number") return direction * (left - right);
    return direction * COLLATOR.compare(String(left), String(right));
  });
}
