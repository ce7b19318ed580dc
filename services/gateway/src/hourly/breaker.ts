/** Failures in a row, so one slow answer changes nothing. */
const FAILURES_TO_OPEN = 3;

/** Whether Redis is worth waiting for. Open: it is not. */
export interface Breaker {
  isOpen(): boolean;
  /** A call failed or took too long. */
  failed(reason: string): void;
  /** It is known that no call can succeed: opens at once. */
  trip(reason: string): void;
  /** A call was answered in time: closes. */
  succeeded(): void;
}

/**
 * A breaker that is open at first.
 * @param options.onOpen told when it opens, and while it is open of every reason not yet told.
 */
export function createBreaker(options: { onOpen: (reason: string) => void; onClose: () => void }): Breaker {
  let open = true;
  let failures = 0;
  const told = new Set<string>();
  const trip = (reason: string) => {
    open = true;
    if (told.has(reason)) return;
    told.add(reason);
    options.onOpen(reason);
  };
  return {
    isOpen: () => open,
    trip,
    failed(reason) {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN) trip(reason);
    },
    succeeded() {
      failures = 0;
      if (!open) return;
      open = false;
      told.clear();
      options.onClose();
    },
  };
}
