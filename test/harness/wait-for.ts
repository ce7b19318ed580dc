import { setTimeout as delay } from "node:timers/promises";

const POLL_INTERVAL_MS = 20;

/**
 * Waits until `probe` returns something other than undefined or false, and returns that.
 * @param what a description of the condition, for the error.
 * @throws Error after the deadline; its cause is the probe's last error.
 */
export async function waitFor<Result>(
  what: string,
  probe: () => Result | undefined | false | Promise<Result | undefined | false>,
  deadlineMs: number,
  intervalMs = POLL_INTERVAL_MS,
): Promise<Result> {
  const deadline = Date.now() + deadlineMs;
  let lastError: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(intervalMs);
  }
  throw new Error(`${what}: not within ${deadlineMs} ms`, { cause: lastError });
}
