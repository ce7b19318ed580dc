import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { KEPT_HOURS } from "@geolookup/shared/domain/period.ts";

const HOUR_MS = 3_600_000;
/** The keys that were used last are kept. With a few codes an hour, that's about 10 MB. */
const MAX_KEYS = 1_000;

/** Requests by key, hour and outcome, in memory, by the time at which their counts arrive. */
export interface Hours {
  /** @param code an error's, or `ok`. */
  count(keyId: string, code: string, requests: number): void;
  /** The hours with requests, the oldest first, and since when they are complete, in milliseconds since the Unix epoch. */
  of(keyId: string): { sinceMs: number; hours: { startMs: number; counts: Record<string, number> }[] };
}

type CountsByHour = Map<number, Record<string, number>>;

export function createHours(clock: Clock, maxKeys: number = MAX_KEYS): Hours {
  /** Before then, the counts of a key that isn't kept are unknown. */
  let unknownBeforeMs = clock();
  /** In the order of last use. */
  const keys = new Map<string, { sinceMs: number; hours: CountsByHour }>();
  return {
    count(keyId, code, requests) {
      const nowMs = clock();
      const hourMs = nowMs - (nowMs % HOUR_MS);
      const key = keys.get(keyId) ?? { sinceMs: unknownBeforeMs, hours: new Map() };
      keys.delete(keyId);
      keys.set(keyId, key);
      for (const oldest of keys.keys()) {
        if (keys.size <= maxKeys) break;
        keys.delete(oldest);
        unknownBeforeMs = nowMs;
      }
      let counts = key.hours.get(hourMs);
      if (counts === undefined) {
        counts = {};
        key.hours.set(hourMs, counts);
        for (const startMs of key.hours.keys()) if (startMs <= hourMs - KEPT_HOURS * HOUR_MS) key.hours.delete(startMs);
      }
      counts[code] = (counts[code] ?? 0) + requests;
    },
    of(keyId) {
      const { sinceMs, hours } = keys.get(keyId) ?? { sinceMs: unknownBeforeMs, hours: new Map() as CountsByHour };
      return { sinceMs, hours: Array.from(hours, ([startMs, counts]) => ({ startMs, counts })) };
    },
  };
}
