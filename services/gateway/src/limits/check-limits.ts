import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { PlanLimits } from "@geolookup/shared/domain/plans.ts";
import type { Admission } from "@geolookup/shared/domain/usage.ts";
import type { Allowance } from "../responses/headers.ts";
import type { HourlyLimit } from "./hourly/hourly-limit.ts";
import type { Meter } from "./monthly/meter.ts";
import type { KeyRates, RateDecision } from "./rates/key-rates.ts";

/** What limits requests. */
export interface LimitParts {
  meter: Meter;
  hourlyLimit: HourlyLimit;
  keyRates: KeyRates;
}

/** The limit that was exceeded, or a reserved request: counted before its 200 is sent, otherwise released. */
export type LimitCheck =
  | { problem: Problem & { code: "rate_limited" | "quota_exceeded" } }
  | { problem: null; allowance: Allowance; count(): void | Promise<void>; release(): void };

/** Checks a keyless request: the caller's hour. */
export function checkHourlyLimit({ limit, take }: HourlyLimit, ip: string): LimitCheck | Promise<LimitCheck> {
  return whenKnown(take(ip), ({ admitted, remaining, resetUnixSeconds }) =>
    admitted
      ? { problem: null, allowance: { limit, remaining, resetUnixSeconds }, count: nothing, release: nothing }
      : { problem: { code: "rate_limited", exceeded: "keyless_hourly", limit, resetUnixSeconds } },
  );
}

/**
 * Checks a request with a key whose plan has only a monthly quota.
 * @returns a promise only if peer usage has to be queried.
 */
export function checkMonthlyQuota(meter: Meter, grant: Grant): LimitCheck | Promise<LimitCheck> {
  return whenKnown(meter.admit(grant), (admission) => quotaCheck(admission, grant));
}

/**
 * Checks a request with a key whose plan has more limits. A refused request counts against none of them: the month and the
 * second are reserved first. The hour comes last, since a request that Redis has counted can't be given back.
 * docs/decisions/plan-limits.md
 * @param ip the caller's address, canonical.
 * @returns a promise only if peer usage or Redis has to be queried.
 */
export function checkPlanLimits(
  { meter, hourlyLimit, keyRates }: LimitParts,
  grant: Grant,
  { perCallerHourly: limit, rate }: PlanLimits,
  ip: string,
): LimitCheck | Promise<LimitCheck> {
  const { keyId, plan, display } = grant;
  return whenKnown(meter.admit(grant), (admission) => {
    const inMonth = quotaCheck(admission, grant);
    if (inMonth.problem) return inMonth;
    const inSecond = rate === null ? UNLIMITED : keyRates.reserve(keyId, rate);
    if (!inSecond.admitted) {
      inMonth.release();
      const { rate, resetUnixSeconds } = inSecond;
      const named = { plan, display, limit: rate.perSecond, burst: rate.burst };
      return { problem: { code: "rate_limited", exceeded: "per_second", ...named, resetUnixSeconds } };
    }
    if (limit === null) {
      inSecond.take();
      return inMonth;
    }
    return whenKnown(hourlyLimit.take(ip, { keyId, limit }), ({ admitted, resetUnixSeconds }): LimitCheck => {
      if (admitted) {
        inSecond.take();
        return inMonth;
      }
      inSecond.release();
      inMonth.release();
      return { problem: { code: "rate_limited", exceeded: "caller_hourly", limit, plan, display, resetUnixSeconds } };
    });
  });
}

function quotaCheck(admission: Admission, grant: Grant): LimitCheck {
  const { limit, resetUnixSeconds } = admission;
  if (!admission.admitted) {
    const { plan, display } = grant;
    const { isShared } = admission;
    return { problem: { code: "quota_exceeded", plan, limit, isShared, resetUnixSeconds, display } };
  }
  return {
    problem: null,
    allowance: { limit, remaining: admission.remaining, resetUnixSeconds },
    count: () => admission.count(),
    release: () => admission.release(),
  };
}

/** Requests of an hour are taken immediately and never given back: the limit is hard. */
function nothing(): void {}

const UNLIMITED: RateDecision = { admitted: true, take: nothing, release: nothing };

/** Continues synchronously with a value that is already known, so that most requests need no promise. */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
