import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Admission } from "@geolookup/shared/domain/usage.ts";
import type { KeyMonth } from "./key-month.ts";

/**
 * Checks a key's quota and reserves one request in a single step, so that concurrent requests never exceed the quota.
 * @param limit requests included per month.
 * @param period the time of admission: decides which month's quota is used and on which day the request counts.
 * @param onCount called once, when the request is counted. `count` returns its promise.
 */
export function admitKey(
  key: KeyMonth,
  period: Period,
  limit: number,
  onCount: (key: KeyMonth, period: Period) => Promise<void>,
): Admission {
  const { resetUnixSeconds } = period;
  const { quota } = key;
  const remaining = limit - quota.peerUsage - quota.counted - quota.reserved - 1;
  if (remaining < 0) return { admitted: false, limit, isShared: quota !== key, resetUnixSeconds };
  quota.reserved += 1;
  key.book.reserved += 1;
  let isSettled = false;
  let counted = NOT_COUNTED;
  /** A request is counted or released, once. */
  const settle = () => {
    if (isSettled) return false;
    isSettled = true;
    quota.reserved -= 1;
    key.book.reserved -= 1;
    return true;
  };
  return {
    admitted: true,
    limit,
    remaining,
    resetUnixSeconds,
    count: () => {
      if (settle()) counted = onCount(key, period);
      return counted;
    },
    release: () => void settle(),
  };
}

const NOT_COUNTED = Promise.resolve();
