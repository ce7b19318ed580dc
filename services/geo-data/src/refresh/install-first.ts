import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

/** Publishers allow few downloads a day. Doubles with each further failure. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 60 * 60_000;

/**
 * Prepares data as at startup: installs it if there is none, or repairs it. Retries until there is data.
 * @param run looks for data as a start does.
 * @throws what `wait` and `run` throw, but for a StartError.
 */
export async function installFirst(
  run: () => Promise<void>,
  { log, wait }: { log: Logger; wait: (ms: number) => Promise<void> },
): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      log.warn({ problem: error.message, retrySeconds: retryMs / 1_000 }, "geo data not installed; retrying");
      await wait(retryMs);
    }
  }
}
