import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWholeDatabase, type WholeDatabase } from "../databases/database.ts";
import type { MmdbValue } from "../mmdb/value.ts";
import { NESTED, NETWORK } from "./records.ts";
import { AUCKLAND, GERMANY, writeDatabase } from "./report-files.ts";

const MAXMIND = fileURLToPath(new URL("../../../../../shared/mmdb/", import.meta.url));

/** Places and networks in the format of MaxMind's databases. */
export const CITY: [string, MmdbValue][] = [
  ["1.0.0.0/8", NESTED],
  ["1.2.0.0/16", AUCKLAND],
  ["1.2.3.4/32", GERMANY],
  ["192.0.0.0/14", AUCKLAND],
  ["198.16.0.0/13", GERMANY],
  ["2001::/16", AUCKLAND],
  ["2a00::/16", NESTED],
  ["2a00:1::/34", AUCKLAND],
  ["2a00:2:0:8000::/50", GERMANY],
  ["fc00::/7", NESTED],
];
export const ASN: [string, MmdbValue][] = [
  ["1.2.0.0/18", NETWORK],
  ["9.0.0.0/30", NETWORK],
  ["2a00:2::/32", NETWORK],
];

/** MaxMind's test databases. Their license keeps them out of this repository, so elsewhere, invented ones in the same format. */
export async function maxMindFiles(): Promise<[city: WholeDatabase, asn: WholeDatabase]> {
  if (!existsSync(MAXMIND)) {
    console.log(`      with invented databases: MaxMind's test databases aren't in ${MAXMIND}`);
    return [await writeDatabase("GeoLite2-City", CITY), await writeDatabase("GeoLite2-ASN", ASN)];
  }
  const open = async (name: string) => (await openWholeDatabase(join(MAXMIND, name))).database;
  return [await open("GeoIP2-City-Test.mmdb"), await open("GeoLite2-ASN-Test.mmdb")];
}
