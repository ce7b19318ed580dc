/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** The two clocks of a running process differ by less between two readings, unless one was set. */
const MAX_SLEW_MS = 1_000;

/**
 * Makes a monotonic clock that also runs while the machine is suspended. The system's monotonic clock stops then, so this one also goes
 * forward whenever the wall clock does. A wall clock that is set forward makes it go too far, which only makes what it measures look older.
 */
export function createElapsedClock(monotonic: Clock = () => performance.now(), wall: Clock = Date.now): Clock {
  let suspendedMs = 0;
  let last = { monotonicMs: monotonic(), wallMs: wall() };
  return () => {
    const now = { monotonicMs: monotonic(), wallMs: wall() };
    const aheadMs = now.wallMs - last.wallMs - (now.monotonicMs - last.monotonicMs);
    if (aheadMs > MAX_SLEW_MS) suspendedMs += aheadMs;
    last = now;
    return now.monotonicMs + suspendedMs;
  };
}

/** For ages of what others may have changed meanwhile. Processes read it every second or more often. */
export const elapsedClock: Clock = createElapsedClock();
