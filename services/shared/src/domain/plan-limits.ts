/** A token bucket's size and fill rate: `burst` requests at once, `perSecond` a second on average. */
export interface KeyRate {
  perSecond: number;
  burst: number;
}

/** A plan's limits besides its monthly quota, for publishable keys. Exceeding one returns 429 `rate_limited`. */
export interface PlanLimits {
  /** Requests an hour for each caller of one key; null: not limited. */
  perCallerHourly: number | null;
  /** Requests a second for each key, at one gateway; null: not limited. */
  rate: KeyRate | null;
}

/** A short description of the limits, e.g. `100 an hour per caller, 10 a second (burst 20)`. */
export function limitsText({ perCallerHourly, rate }: PlanLimits): string {
  const number = (value: number) => value.toLocaleString("en");
  const parts: string[] = [];
  if (perCallerHourly !== null) parts.push(`${number(perCallerHourly)} an hour per caller`);
  if (rate !== null) {
    const burst = rate.burst === rate.perSecond ? "" : ` (burst ${number(rate.burst)})`;
    parts.push(`${number(rate.perSecond)} a second${burst}`);
  }
  return parts.join(", ");
}
