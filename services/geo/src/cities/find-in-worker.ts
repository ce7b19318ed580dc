import { runWorker } from "../databases/run-worker.ts";
import type { FindTask, FoundCities } from "./find-cities-worker.ts";

/** DB-IP's city files take about a second each. */
const TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 256;

/**
 * Finds cities in a database in a separate thread, which reads the file again.
 * @param signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
export function findInWorker(task: FindTask, signal?: AbortSignal): Promise<FoundCities> {
  const script = new URL("find-cities-worker.ts", import.meta.url);
  return runWorker(script, { data: task, maxHeapMb: MAX_HEAP_MB, timeoutMs: TIMEOUT_MS, signal });
}
