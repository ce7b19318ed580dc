import type { Query } from "./query.ts";

/**
 * The names in `fields`; repeated parameters are joined.
 * @returns null if there are none: all fields of the plan.
 */
export function requestedFields(query: Query | null): ReadonlySet<string> | null {
  if (query === null) return null;
  const names = query
    .getAll("fields")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? null : new Set(names);
}
