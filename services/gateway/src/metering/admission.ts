import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Admission } from "@geolookup/shared/domain/usage.ts";
import type { KeyMonth } from "./key-month.ts";

/**
 * Checks a key's quota and reserves room for one request in one step, so that whatever runs at the
 * same time, no more than the quota is admitted.
 * @param period when the request was admitted: its month's quota is used, and its day counts.
 * @param onCount is called once when the request is about to be answered, its reservation gone; what it returns, so does `count`.
 */
export function admitKey(
  key: KeyMonth,
  period: Period,
  monthlyRequests: number,
  onCount: (key: KeyMonth, period: Period) => Promise<void>,
): Admission {
  const { resetUnixSeconds } = period;
  const remaining = monthlyRequests - key.others - key.counted - key.reserved - 1;
  if (remaining < 0) return { admitted: false, resetUnixSeconds };
  key.reserved += 1;
  key.book.reserved += 1;
  return new Reservation(key, period, remaining, onCount);
}

const NOTHING_COUNTED = Promise.resolve();

/** Room for one request: counted or released, once. */
class Reservation {
  readonly admitted = true;
  readonly remaining: number;
  readonly resetUnixSeconds: number;
  private readonly key: KeyMonth;
  private readonly period: Period;
  private readonly onCount: (key: KeyMonth, period: Period) => Promise<void>;
  private settled = false;
  private counted = NOTHING_COUNTED;

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
