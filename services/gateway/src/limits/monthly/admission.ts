import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Admission } from "@geolookup/shared/domain/usage.ts";
import type { KeyMonth } from "./key-month.ts";

/**
 * Checks a key's quota and reserves one request in a single step, so that concurrent requests never exceed the quota.
 * @param period the time of admission: decides which month's quota is used and on which day the request counts.
 * @param onCount called once, when the request is counted. `count` returns its promise.
 */
export function admitKey(
  key: KeyMonth,
  period: Period,
  monthlyRequests: number,
  onCount: (key: KeyMonth, period: Period) => Promise<void>,
): Admission {
  const { resetUnixSeconds } = period;
  const remaining = monthlyRequests - key.peerUsage - key.counted - key.reserved - 1;
  if (remaining < 0) return { admitted: false, resetUnixSeconds };
  key.reserved += 1;
  key.book.reserved += 1;
  return new Reservation(key, period, remaining, onCount);
}

const NOT_COUNTED = Promise.resolve();

/** One reserved request: counted or released, once. */
class Reservation {
  readonly admitted = true;
  readonly remaining: number;
  readonly resetUnixSeconds: number;
  private readonly key: KeyMonth;
  private readonly period: Period;
  private readonly onCount: (key: KeyMonth, period: Period) => Promise<void>;
  private settled = false;
  private counted = NOT_COUNTED;

  constructor(
    key: KeyMonth,
    period: Period,
    remaining: number,
    onCount: (key: KeyMonth, period: Period) => Promise<void>,
  ) {
    this.key = key;
    this.period = period;
    this.remaining = remaining;
    this.resetUnixSeconds = period.resetUnixSeconds;
    this.onCount = onCount;
  }

  count(): Promise<void> {
    if (this.settle()) this.counted = this.onCount(this.key, this.period);
    return this.counted;
  }

  release(): void {
    this.settle();
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.key.reserved -= 1;
    this.key.book.reserved -= 1;
    return true;
  }
}
