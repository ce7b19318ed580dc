import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { ASN_DATABASE_TYPE } from "@geolookup/geo/schema/maxmind.ts";
import { createAsnReader } from "./asn-csv.ts";

/**
 * Turns the CSV files of `@ip-location-db/asn` (IPv4 and IPv6) into one MaxMind DB.
 * @param buildUnixSeconds when the data were built.
 * @throws Error naming the file and line that is not as expected.
 */
export async function buildAsnDatabase(
  csvFiles: readonly string[],
  target: string,
  buildUnixSeconds: number,
): Promise<void> {
  const bytes = buildMmdb({
    databaseType: ASN_DATABASE_TYPE,
    ipVersion: 6,
    recordSize: 28,
    entries: readEntries(csvFiles),
    description: { en: "Autonomous systems by RouteViews, DB-IP and NRO (CC BY 4.0), made from @ip-location-db/asn" },
    languages: ["en"],
    buildUnixSeconds,
  });
  await writeFile(target, bytes);
}

function* readEntries(csvFiles: readonly string[]) {
  for (const file of csvFiles) {
    const read = createAsnReader(file);
    const text = readFileSync(file, "utf8");
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      yield* read(text.slice(start, end).trimEnd());
      start = end + 1;
    }
  }
}

/** When a version of an ip-location-db package was built: its last part is year, month, day and hour (UTC). Null for another form. */
export function buildTimeOf(version: string): number | null {
  const match = /\.(\d{4})(\d{2})(\d{2})(\d{2})$/.exec(version);
  if (!match) return null;
  const [, year, month, day, hour] = match.map(Number) as [number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour) / 1000;
}
