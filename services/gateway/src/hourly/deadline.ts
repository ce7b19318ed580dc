/** A timer that fires later than this was held up by this process itself. */
const LATE_MS = 10;
const MAX_ROUNDS = 3;

/**
 * Calls `expired` once `timeoutMs` have passed without the returned function being called. Time in which this
 * process was busy or got no processor is not held against the other side: a timer that fires late starts again
 * (twice at most), and what has arrived by then is read first.
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
