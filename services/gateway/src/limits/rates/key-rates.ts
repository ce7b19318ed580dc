import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import type { KeyRate } from "@geolookup/shared/domain/plans.ts";
import { LRUCache } from "lru-cache";
import { fullBucket, releaseReserved, reserveToken, type TokenBucket, takeReserved } from "./token-bucket.ts";

/** About 200 bytes each, so 20 MB. The least recently used key is evicted: its bucket is almost certainly full again. */
const MAX_KEYS = 100_000;

/** Whether a key's bucket has a token for one more request. */
export type RateDecision =
  | { admitted: true; take(): void; release(): void }
  | { admitted: false; rate: KeyRate; resetUnixSeconds: number };

/** Each key's requests-per-second limit at this gateway. In memory only. */
export interface KeyRates {
  /**
   * Reserves one request, in one synchronous step. Call either `take` or `release` afterwards, once.
   * @param keyId of a granted key, so that strangers can't fill the memory.
   * @param rate of the key's current plan. A changed rate applies immediately; tokens that the key has used stay used.
   */
  reserve(keyId: string, rate: KeyRate): RateDecision;
}

/** @param options.maxKeys for tests: keys held at once. */
export function createKeyRates(options: { clock: Clock; maxKeys?: number }): KeyRates {
  const { clock } = options;
  /** A reservation keeps this object even if its key is evicted in between. */
  const keys = new LRUCache<string, { bucket: TokenBucket }>(maxEntries(options.maxKeys ?? MAX_KEYS));
  return {
    reserve(keyId, rate) {
      const nowMs = clock();
      let key = keys.get(keyId);
      if (!key) {
        key = { bucket: fullBucket(rate, nowMs) };
        keys.set(keyId, key);
      }
      const held = key;
      const { bucket, waitMs } = reserveToken(held.bucket, rate, nowMs);
      held.bucket = bucket;
      if (waitMs > 0) return { admitted: false, rate, resetUnixSeconds: Math.ceil((nowMs + waitMs) / 1000) };
      return {
        admitted: true,
        take: () => {
          held.bucket = takeReserved(held.bucket, rate, clock());
        },
        release: () => {
          held.bucket = releaseReserved(held.bucket);
        },
      };
    },
  };
}
