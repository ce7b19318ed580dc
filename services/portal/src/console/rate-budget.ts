import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { LRUCache } from "lru-cache";

/** A token bucket: `burst` at once, and `perSecond` on average. */
export interface RateBudget {
  /** Whether there is one left, which is then used. */
  take(): boolean;
}

export interface RateLimit {
  burst: number;
  perSecond: number;
}

export function createRateBudget({ burst, perSecond }: RateLimit, clock: Clock): RateBudget {
  let shares = burst;
  let lastMs = clock();
  return {
    take() {
      const nowMs = clock();
      shares = Math.min(burst, shares + (Math.max(0, nowMs - lastMs) * perSecond) / 1_000);
      lastMs = nowMs;
      if (shares < 1) return false;
      shares -= 1;
      return true;
    },
  };
}

/** How many names have a budget of their own. The one that was used least recently starts again. */
const MAX_NAMES = 1_000;

/** A budget for each name. */
export function createRateBudgets(limit: RateLimit, clock: Clock): (name: string) => RateBudget {
  const budgets = new LRUCache<string, RateBudget>({ max: MAX_NAMES });
  return (name) => {
    const budget = budgets.get(name) ?? createRateBudget(limit, clock);
    budgets.set(name, budget);
    return budget;
  };
}
