/** Stops calling a service that keeps failing, so that visitors don't wait for it. */
export interface Breaker {
  /**
   * Null if a call may be made; otherwise why not. After failures, one call per pause is let through to test the service.
   */
  pausedBy(): PauseReason | null;
  succeeded(): void;
  failed(): void;
  /** Pauses for this long, because the key has no requests left. */
  quotaExceeded(forMs: number): void;
}

export type PauseReason = "failures" | "quota";

const FAILURES_TO_OPEN = 5;
const PAUSE_MS = 5_000;

export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let pausedUntilMs = 0;
  let reason: PauseReason = "failures";
  /** A longer pause stays. */
  const pause = (forMs: number, by: PauseReason) => {
    if (now() + forMs <= pausedUntilMs) return;
    pausedUntilMs = now() + forMs;
    reason = by;
  };
  return {
    pausedBy: () => {
      if (now() < pausedUntilMs) return reason;
      if (failures >= FAILURES_TO_OPEN) pause(PAUSE_MS, "failures");
      return null;
    },
    succeeded: () => {
      failures = 0;
      pausedUntilMs = 0;
    },
    failed: () => {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN) pause(PAUSE_MS, "failures");
    },
    quotaExceeded: (forMs) => pause(forMs, "quota"),
  };
}
