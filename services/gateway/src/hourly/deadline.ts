/** If a timer fires later than this, this process was blocked. */
const LATE_MS = 10;

/**
 * Calls `expired` unless the returned function is called within `timeoutMs`. Time in which this process was blocked doesn't
 * count: a timer that fires late is restarted, until `maxMs` at most, and input that has arrived is read first.
 */
export function startDeadline(timeoutMs: number, maxMs: number, expired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let met = false;
  const startMs = performance.now();
  const start = (waitMs: number) => {
    const lateMs = performance.now() + waitMs + LATE_MS;
    timer = setTimeout(() => {
      const now = performance.now();
      setImmediate(() => {
        if (met) return;
        const restMs = startMs + maxMs - now;
        if (now > lateMs && restMs > 1) start(Math.min(timeoutMs, restMs));
        else expired();
      });
    }, waitMs);
  };
  start(timeoutMs);
  return () => {
    met = true;
    clearTimeout(timer);
  };
}
