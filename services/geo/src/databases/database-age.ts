import { OLD_DATA_ADVICE, OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Database } from "./database.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * How old data are, if they are too old.
 * @param buildUnixSeconds from the metadata; 0 if it is missing and the age is unknown.
 * @returns whole days, or null when they are recent enough.
 */
export function daysTooOld(buildUnixSeconds: number, nowMs: number): number | null {
  if (buildUnixSeconds === 0) return null;
  const days = Math.floor((nowMs - buildUnixSeconds * 1_000) / DAY_MS);
  return days > OLD_DATA_DAYS ? days : null;
}

/**
 * Warns about old databases.
 * @returns a function to call at any interval: it warns about each file once a day.
 */
export function createAgeWarning(log: Logger, now: () => number): (databases: readonly Database[]) => void {
  const warnedAt = new Map<string, number>();
  return (databases) => {
    for (const { info } of databases) {
      const days = daysTooOld(info.buildUnixSeconds, now());
      const key = `${info.name} ${info.buildUnixSeconds}`;
      if (days === null || now() - (warnedAt.get(key) ?? Number.NEGATIVE_INFINITY) < DAY_MS) continue;
      warnedAt.set(key, now());
      log.warn(
        { database: info.name, buildUnixSeconds: info.buildUnixSeconds, days },
        `a database is more than ${OLD_DATA_DAYS} days old: ${OLD_DATA_ADVICE}`,
      );
    }
  };
}
