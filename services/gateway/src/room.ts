import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { PlanLimits } from "@geolookup/shared/domain/plan-limits.ts";
import type { Admission } from "@geolookup/shared/domain/usage.ts";
import type { HourlyLimit } from "./hourly/hourly-limit.ts";
import type { Meter } from "./metering/meter.ts";
import type { KeyRates, RateDecision } from "./rate/key-rates.ts";
import type { Allowance } from "./request/responses.ts";

/** What decides whether there is room for a request. */
export interface RoomParts {
  meter: Meter;
  hourlyLimit: HourlyLimit;
  keyRates: KeyRates;
}

/** Room for one request: counted before its 200 is sent, otherwise released. */
export type Room =
  | { problem: Problem & { code: "rate_limited" | "quota_exceeded" } }
  | { problem: null; allowance: Allowance; count(): void | Promise<void>; release(): void };

/** Room without a key: in the caller's hour. */
export function hourlyRoom({ limit, take }: HourlyLimit, ip: string): Room | Promise<Room> {
  return whenKnown(take(ip), ({ admitted, remaining, resetUnixSeconds }) =>
    admitted
      ? { problem: null, allowance: { limit, remaining, resetUnixSeconds }, count: nothing, release: nothing }
      : { problem: { code: "rate_limited", exceeded: "keyless_hourly", limit, resetUnixSeconds } },
  );
}

/** Room with a key whose plan has only a monthly quota. */
export async function monthlyRoom(meter: Meter, grant: Grant): Promise<Room> {
  return roomInMonth(await meter.admit(grant.keyId, grant.monthlyRequests), grant);
}

/**
 * Room with a key whose plan has more limits. A refused request counts against none of them: the month and the second are
 * reserved first. The hour comes last, since a request that Redis has counted can't be given back.
 * docs/decisions/plan-limits.md
 * @param ip the caller's address, canonical.
 * @returns a promise only if the month or Redis has to be asked.
 */
export function limitedRoom(
  { meter, hourlyLimit, keyRates }: RoomParts,
  grant: Grant,
  { perCallerHourly: limit, rate }: PlanLimits,
  ip: string,
): Room | Promise<Room> {
  const { keyId, plan, display, monthlyRequests } = grant;
  return whenKnown(meter.admit(keyId, monthlyRequests), (admission) => {
    const room = roomInMonth(admission, grant);
    if (room.problem) return room;
    const inSecond = rate === null ? UNLIMITED : keyRates.reserve(keyId, rate);
    if (!inSecond.admitted) {
      room.release();
      const { rate, resetUnixSeconds } = inSecond;
      const named = { plan, display, limit: rate.perSecond, burst: rate.burst };
      return { problem: { code: "rate_limited", exceeded: "per_second", ...named, resetUnixSeconds } };
    }
    if (limit === null) {
      inSecond.take();
      return room;
    }
    return whenKnown(hourlyLimit.take(ip, { keyId, limit }), ({ admitted, resetUnixSeconds }): Room => {
      if (admitted) {
        inSecond.take();
        return room;
      }
      inSecond.release();
      room.release();
      return { problem: { code: "rate_limited", exceeded: "caller_hourly", limit, plan, display, resetUnixSeconds } };
    });
  });
}

function roomInMonth(admission: Admission, grant: Grant): Room {
  const { resetUnixSeconds } = admission;
  const { plan, monthlyRequests: limit, display } = grant;
  if (!admission.admitted) return { problem: { code: "quota_exceeded", plan, limit, resetUnixSeconds, display } };
  return {
    problem: null,
    allowance: { limit, remaining: admission.remaining, resetUnixSeconds },
    count: () => admission.count(),
    release: () => admission.release(),
  };
}

/** Continues synchronously with a value that is already known, so that a request that needn't wait gets no promise. */
function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Room in an hour is taken immediately and never given back: the limit is hard. */
function nothing(): void {}

const UNLIMITED: RateDecision = { admitted: true, take: nothing, release: nothing };
