/** Stops calling a service that keeps failing, so that visitors don't wait for it. */
export interface Breaker {
  /** Whether a call may be made. While the breaker is open, one call per pause is let through to test the service. */
  mayCall(): boolean;
  succeeded(): void;
  failed(): void;
  /** Makes no calls for this time. */
  pause(forMs: number): void;
}

const FAILURES_TO_OPEN = 5;
const PAUSE_MS = 5_000;

export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let pausedUntilMs = 0;
  return {
    mayCall: () => {
      if (now() < pausedUntilMs) return false;
      if (failures >= FAILURES_TO_OPEN) pausedUntilMs = now() + PAUSE_MS;
      return true;
    },
    succeeded: () => {
      failures = 0;
      pausedUntilMs = 0;
    },
    failed: () => {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN) pausedUntilMs = now() + PAUSE_MS;
    },
    pause: (forMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, now() + forMs);
    },
  };
}
