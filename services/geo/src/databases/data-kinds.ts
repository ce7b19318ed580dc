/** The kinds of data that a database can have about addresses. */
export const DATA_KINDS = ["places", "networks"] as const;
export type DataKind = (typeof DATA_KINDS)[number];

/** The kinds of data that several databases have together. */
export function kindsOf(databases: readonly { readonly kinds: readonly DataKind[] }[]): DataKind[] {
  return DATA_KINDS.filter((kind) => databases.some(({ kinds }) => kinds.includes(kind)));
}

/** What people read. `places` is in files and stays. */
const WORDS: Readonly<Record<DataKind, string>> = { places: "locations", networks: "networks" };

/** The kinds of data that were lost, in words; null if none was. */
export function lostKinds(before: readonly DataKind[], after: readonly DataKind[]): string | null {
  const lost = before.filter((kind) => !after.includes(kind));
  return lost.length > 0 ? lost.map((kind) => WORDS[kind]).join(" and ") : null;
}
