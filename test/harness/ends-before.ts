/**
 * Whether some work ends before a timer that starts with it. Where the work waits for timers of this process, a busy machine
 * delays both alike.
 */
export async function endsBefore(delayMs: number, work: () => Promise<unknown>): Promise<boolean> {
  let hasRung = false;
  const timer = setTimeout(() => {
    hasRung = true;
  }, delayMs);
  try {
    await work();
    return !hasRung;
  } finally {
    clearTimeout(timer);
  }
}
