import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import type { KeyRate } from "@geolookup/shared/domain/plans.ts";
import { LRUCache } from "lru-cache";

/**
 * A key's token bucket. A request reserves a token, then takes or releases it. A released token was never taken: a request
 * that another limit refuses costs the key nothing, and doesn't let the key exceed its burst later.
 */
export interface TokenBucket {
  /** Thousandths of a token: a millisecond adds `perSecond` of them, so all numbers are whole and exact. */
  readonly thousandths: number;
  readonly atMs: number;
  /** How many whole tokens are reserved. */
  readonly reserved: number;
}

export function fullBucket({ burst }: KeyRate, nowMs: number): TokenBucket {
  return { thousandths: burst * 1000, atMs: nowMs, reserved: 0 };
}

/**
 * Reserves a token if one is free.
 * @returns the bucket, and how long until a token is free, in milliseconds: 0 if one was reserved.
 */
export function reserveToken(
  known: TokenBucket,
  rate: KeyRate,
  nowMs: number,
): { bucket: TokenBucket; waitMs: number } {
  const bucket = filled(known, rate, nowMs);
  const missing = (bucket.reserved + 1) * 1000 - bucket.thousandths;
  if (missing > 0) return { bucket, waitMs: Math.ceil(missing / rate.perSecond) };
  return { bucket: { ...bucket, reserved: bucket.reserved + 1 }, waitMs: 0 };
}

/** Takes a reserved token: its request is admitted now. */
export function takeReserved(known: TokenBucket, rate: KeyRate, nowMs: number): TokenBucket {
  const bucket = filled(known, rate, nowMs);
  return { ...bucket, thousandths: bucket.thousandths - 1000, reserved: bucket.reserved - 1 };
}

/** Releases a reserved token: its request was refused. */
export function releaseReserved(bucket: TokenBucket): TokenBucket {
  return { ...bucket, reserved: bucket.reserved - 1 };
}

/** The bucket at `nowMs`, under the current plan. A clock that was set back adds nothing. */
function filled({ thousandths, atMs, reserved }: TokenBucket, { perSecond, burst }: KeyRate, nowMs: number) {
  const added = Math.max(0, nowMs - atMs) * perSecond;
  return { thousandths: Math.min(burst * 1000, thousandths + added), atMs: nowMs, reserved };
}

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
