import type { Database } from "@geolookup/geo/databases/database.ts";
import type { Finding } from "@geolookup/geo/schema/finding.ts";
import type { Address } from "@geolookup/shared/domain/ip-words.ts";

/** How many addresses of the previous file are looked up in both. */
export const SAMPLED_ADDRESSES = 1_000;
/** If the previous file knows fewer of them, the share of equal ones isn't significant. */
const ENOUGH_TO_COMPARE = 100;
/**
 * How many of the sampled addresses must have the same country, or the same network, as before. Releases 14 months apart agree
 * on 89% of networks; two vendors agree on 94% of countries. If countries are mixed up, under half agree: no country has more of
 * the addresses (docs/decisions/plausible-updates.md).
 */
const MIN_SHARE_OF_SAME = 0.8;
const MIN_SIZE_RATIO = 0.5;
const MAX_SIZE_RATIO = 2;

/** A database file. */
export interface ComparedFile {
  database: Database;
  /** Bytes. */
  size: number;
}

/**
 * Compares a new file with the previous one of the same name, source and type.
 * @param addresses a sample of those that the previous file knows.
 * @returns why it isn't plausible, for the operator; null if it is.
 */
export function implausibility(
  before: ComparedFile,
  after: ComparedFile,
  addresses: readonly Address[],
): string | null {
  const { info: old } = before.database;
  const { info: fresh } = after.database;
  if (fresh.databaseType !== old.databaseType)
    return `the new ${fresh.name} is of the type ${quoted(fresh.databaseType)}, the previous one of ${quoted(old.databaseType)}`;
  // 0: unknown.
  if (fresh.buildUnixSeconds > 0 && fresh.buildUnixSeconds < old.buildUnixSeconds)
    return `the new ${fresh.name} was built ${dayOf(fresh.buildUnixSeconds)}, before the previous one (${dayOf(old.buildUnixSeconds)})`;
  const ratio = after.size / before.size;
  if (ratio < MIN_SIZE_RATIO || ratio > MAX_SIZE_RATIO)
    return `the new ${fresh.name} has ${after.size} bytes, the previous one ${before.size}`;
  for (const [field, words] of [
    ["country", "countries"],
    ["asn", "networks"],
  ] as const) {
    const { known, same } = countSame(before.database, after.database, addresses, field);
    if (known >= ENOUGH_TO_COMPARE && same < known * MIN_SHARE_OF_SAME)
      return `the new ${fresh.name} has the ${words} of the previous one for only ${same} of ${known} sample addresses`;
  }
  return null;
}

function countSame(before: Database, after: Database, addresses: readonly Address[], field: "country" | "asn") {
  let known = 0;
  let same = 0;
  for (const address of addresses) {
    const old = valueAt(before, address, field);
    if (old === null) continue;
    known++;
    if (valueAt(after, address, field) === old) same++;
  }
  return { known, same };
}

function valueAt(database: Database, address: Address, field: "country" | "asn"): Finding["country" | "asn"] {
  if (typeof address !== "number" && !database.hasIpv6) return null;
  return database.find(address)?.finding[field] ?? null;
}

function dayOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().slice(0, 10);
}

/** A text from a file, quoted and truncated for a message. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
