/** @returns the query of a request target; null if there is none. */
export function queryOf(target: string): URLSearchParams | null {
  const start = target.indexOf("?");
  return start === -1 ? null : new URLSearchParams(target.slice(start + 1));
}

/**
 * The names in `fields`; repeated parameters are joined.
 * @returns null if there are none: all fields of the plan.
 */
export function requestedFields(query: URLSearchParams | null): ReadonlySet<string> | null {
  if (query === null) return null;
  const names = query
    .getAll("fields")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? null : new Set(names);
}
