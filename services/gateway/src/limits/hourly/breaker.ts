/** Consecutive failures that open the breaker. */
const MAX_FAILURES = 3;

/** A circuit breaker. While it is open, the hourly limit works without Redis. */
export interface Breaker {
  isOpen(): boolean;
  /** Call after a failed or timed-out call. */
  failed(reason: string): void;
  /** Opens immediately, when no call can succeed. */
  trip(reason: string): void;
  /** Call after a successful call: closes the breaker. */
  succeeded(): void;
}

/**
 * Creates an open breaker.
 * @param options.onOpen called when it opens, and while it is open once for each further reason.
 */
export function createBreaker(options: { onOpen: (reason: string) => void; onClose: () => void }): Breaker {
  let open = true;
  let failures = 0;
  const reported = new Set<string>();
  const trip = (reason: string) => {
    open = true;
    if (reported.has(reason)) return;
    reported.add(reason);
    options.onOpen(reason);
  };
  return {
    isOpen: () => open,
    trip,
    failed(reason) {
      failures += 1;
      if (failures >= MAX_FAILURES) trip(reason);
    },
    succeeded() {
      failures = 0;
      if (!open) return;
      open = false;
      reported.clear();
      options.onClose();
    },
  };
}
