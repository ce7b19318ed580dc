/** The part of `URLSearchParams` that lookups use. */
export type Query = Pick<URLSearchParams, "getAll">;

/** What `URLSearchParams` decodes or drops. */
const SPECIAL = /[%+]|^\?/;

/** @returns the query of a request target, as `URLSearchParams` reads it; null if there is none. */
export function queryOf(target: string): Query | null {
  const start = target.indexOf("?");
  if (start === -1) return null;
  const text = target.slice(start + 1);
  return SPECIAL.test(text) ? new URLSearchParams(text) : new PlainQuery(text);
}

/** A query without special characters, like most queries. Creating `URLSearchParams` takes longer than finding a parameter. */
class PlainQuery implements Query {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  getAll(name: string): string[] {
    const text = this.#text;
    const values: string[] = [];
    let start = 0;
    while (start < text.length) {
      const next = text.indexOf("&", start);
      const end = next === -1 ? text.length : next;
      const afterName = start + name.length;
      if (text.startsWith(name, start)) {
        if (afterName === end) values.push("");
        else if (text[afterName] === "=") values.push(text.slice(afterName + 1, end));
      }
      start = end + 1;
    }
    return values;
  }
}

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
