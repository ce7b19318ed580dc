const TICKS = 5;

/**
 * Calls `expired` unless the returned function is called within `timeoutMs`. Time in which this process was blocked hardly
 * counts: the timeout passes in five steps, each of which may take longer, and input that has arrived is read before each ends.
 */
export function startDeadline(timeoutMs: number, expired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let met = false;
  const start = (tick: number) => {
    const end = () => {
      if (met) return;
      if (tick < TICKS) start(tick + 1);
      else expired();
    };
    timer = setTimeout(() => setImmediate(end), timeoutMs / TICKS);
  };
  start(1);
  return () => {
    met = true;
    clearTimeout(timer);
  };
}
