import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { openWholeDatabase, type WholeDatabase } from "../databases/database.ts";
import { double, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { type ReportedSets, reportOnFamily } from "../report/family-report.ts";
import { describeDatabase, makeReport } from "../report/make-report.ts";

export const AUCKLAND = {
  city: { names: { en: "Auckland" } },
  country: { iso_code: "NZ" },
  location: { latitude: double(-36.8485), longitude: double(174.7633), time_zone: "Pacific/Auckland" },
  subdivisions: [{ iso_code: "AUK", names: { en: "Auckland" } }],
};
export const GERMANY = { country: { iso_code: "DE" } };

/** Writes and opens a database, built on 2026-11-12. */
export async function writeDatabase(databaseType: string, entries: [string, MmdbValue][]): Promise<WholeDatabase> {
  const path = join(tempFolder(), `${databaseType}.mmdb`);
  const buildUnixSeconds = Date.UTC(2026, 10, 12, 12) / 1_000;
  await writeFile(path, buildMmdb({ databaseType, ipVersion: 6, recordSize: 28, entries, buildUnixSeconds }));
  return (await openWholeDatabase(path)).database;
}

/** A report about open databases, made on 2026-11-22 without threads. @param before of version `v3`. */
export function reportOf({ loaded, compared, before }: ReportedSets<WholeDatabase>): DataReport {
  const nowMs = Date.UTC(2026, 10, 22);
  const describe = (databases: readonly WholeDatabase[]) =>
    databases.map((database) => describeDatabase(database, nowMs));
  const sets = { loaded, compared, before };
  return makeReport({
    sets: { loaded: describe(loaded), compared: compared && describe(compared), before: before && describe(before) },
    since: "v3",
    families: { ipv4: reportOnFamily("ipv4", sets), ipv6: reportOnFamily("ipv6", sets) },
    nowMs,
  });
}
