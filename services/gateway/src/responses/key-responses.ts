import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { KEPT_HOURS } from "@geolookup/shared/domain/period.ts";
import { LRUCache } from "lru-cache";

const HOUR_MS = 3_600_000;
/** The keys with the latest responses are kept. With a few codes an hour, that's about 10 MB. */
const MAX_KEYS = 1_000;

/** Responses by key, hour and code, in memory: for the console, which shows an operator what a key's requests were refused for. */
export interface KeyResponses {
  /** @param code an error's, or `ok`. */
  count(keyId: string, code: string): void;
  /** The hours with responses, the oldest first, and since when they are complete, in milliseconds since the Unix epoch. */
  of(keyId: string): { sinceMs: number; hours: { startMs: number; counts: Record<string, number> }[] };
}

type Hours = Map<number, Record<string, number>>;

export function createKeyResponses(clock: Clock, maxKeys: number = MAX_KEYS): KeyResponses {
  /** Before then, the counts of a key that isn't kept are unknown. */
  let unknownBeforeMs = clock();
  const keys = new LRUCache<string, { sinceMs: number; hours: Hours }>({
    max: maxKeys,
    dispose: () => {
      unknownBeforeMs = clock();
    },
  });
  return {
    count(keyId, code) {
      const nowMs = clock();
      const hourMs = nowMs - (nowMs % HOUR_MS);
      let key = keys.get(keyId);
      if (key === undefined) {
        key = { sinceMs: unknownBeforeMs, hours: new Map() };
        keys.set(keyId, key);
      }
      let counts = key.hours.get(hourMs);
      if (counts === undefined) {
        counts = {};
        key.hours.set(hourMs, counts);
        for (const startMs of key.hours.keys()) if (startMs <= hourMs - KEPT_HOURS * HOUR_MS) key.hours.delete(startMs);
      }
      counts[code] = (counts[code] ?? 0) + 1;
    },
    of(keyId) {
      const { sinceMs, hours } = keys.peek(keyId) ?? { sinceMs: unknownBeforeMs, hours: new Map() as Hours };
      return { sinceMs, hours: Array.from(hours, ([startMs, counts]) => ({ startMs, counts })) };
    },
  };
}
