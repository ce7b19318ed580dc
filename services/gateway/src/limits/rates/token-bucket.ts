import type { KeyRate } from "@geolookup/shared/domain/plans.ts";

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
