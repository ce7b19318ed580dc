import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Source } from "../../store/source.ts";
import type { Part, Published } from "../part.ts";
import {
  askForMonth,
  type DbipOptions,
  fetchMonth,
  firstMsOf,
  type MonthlyFile,
  monthOf,
  previousMonth,
} from "./dbip-downloads.ts";

export const DBIP_URL = "https://download.db-ip.com/free";

/** Places of DB-IP City Lite, new each month. https://db-ip.com/db/download/ip-to-city-lite */
export const dbipCityPart = (options: DbipOptions): Part => monthlyPart("dbip-city-lite", "DBIP-City-Lite", options);

/** Networks of DB-IP ASN Lite, new each month. https://db-ip.com/db/download/ip-to-asn-lite */
export const dbipAsnPart = (options: DbipOptions): Part => monthlyPart("dbip-asn-lite", "DBIP-ASN-Lite", options);

function monthlyPart(name: string, databaseType: string, options: DbipOptions): Part {
  const offer = (month: string, integrity: string): Published => ({
    version: month,
    integrity,
    publishedMs: firstMsOf(month),
    fetch: (folder) => fetchMonth({ name, month, databaseType }, folder, options),
  });
  return {
    name,
    files: [`${name}.mmdb`],
    databaseType,
    license: "CC-BY-4.0",
    find: async (before) => {
      const month = monthOf(options.now());
      // Nothing newer can be published before the next month.
      if (before && before.version >= month) return offer(before.version, before.integrity);
      const published = await askForMonth({ name, month }, null, options);
      if (typeof published === "object") return offer(month, integrityOf(published, month));
      return findLastMonth(before, previousMonth(month));
    },
  };

  async function findLastMonth(before: Source | null, month: string): Promise<Published> {
    const installed = before?.version === month ? before : null;
    const published = await askForMonth({ name, month }, installed, options);
    if (published === "unchanged" && installed) return offer(month, installed.integrity);
    if (typeof published === "object") return offer(month, integrityOf(published, month));
    throw new StartError(
      `DB-IP has no ${name} for ${month} or the month after it at ${options.url}; if this persists, DB-IP has changed its downloads: set GEO_DATA_SOURCE to another source`,
    );
  }
}

/** DB-IP publishes no hash, so the server's headers identify the file. */
function integrityOf({ etag, lastModified, length }: MonthlyFile, month: string): string {
  if (etag !== null) return `etag-${etag}`;
  return `${month}, modified ${lastModified ?? "at an unknown time"}, ${length ?? "unknown"} bytes`;
}
