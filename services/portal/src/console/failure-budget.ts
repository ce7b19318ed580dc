import type { Clock } from "@geolookup/shared/domain/clock.ts";

/** Full responses to wrong tokens: burst and rate. */
const BURST = 20;
const PER_SECOND = 2;

/**
 * Limits the cost of wrong admin tokens. Within the budget, each gets a full page and a log line; beyond it, a brief refusal. The
 * right token doesn't use the budget.
 */
export interface FailureBudget {
  take(): boolean;
}

export function createFailureBudget(clock: Clock): FailureBudget {
  let shares = BURST;
  let lastMs = clock();
  return {
    take() {
      const nowMs = clock();
      shares = Math.min(BURST, shares + (Math.max(0, nowMs - lastMs) * PER_SECOND) / 1_000);
      lastMs = nowMs;
      if (shares < 1) return false;
      shares -= 1;
      return true;
    },
  };
}
