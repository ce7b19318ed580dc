/** If a timer fires later than this, this process was blocked. */
const LATE_MS = 10;
const MAX_ROUNDS = 3;

/**
 * Calls `expired` unless the returned function is called within `timeoutMs`. Time in which this process was blocked doesn't
 * count: a timer that fires late is restarted (at most twice), and input that has arrived is read first.
 */
export function startDeadline(timeoutMs: number, expired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let met = false;
  const start = (round: number) => {
    const dueMs = performance.now() + timeoutMs;
    timer = setTimeout(() => {
      const late = performance.now() > dueMs + LATE_MS;
      setImmediate(() => {
        if (met) return;
        if (late && round < MAX_ROUNDS) start(round + 1);
        else expired();
      });
    }, timeoutMs);
  };
  start(1);
  return () => {
    met = true;
    clearTimeout(timer);
  };
}
