import { runWorker } from "../databases/run-worker.ts";
import type { ComputeTask } from "./compute-worker.ts";
import type { TimezoneTable } from "./timezone-table.ts";

/** DB-IP's two city files take 5 s together on one core. */
const TIMEOUT_MS = 120_000;
const MAX_HEAP_MB = 128;

/**
 * Computes the time zones of a checked database's records in a separate thread, which reads the file again.
 * @param options.signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
export function computeInWorker(
  task: ComputeTask,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<TimezoneTable> {
  const script = new URL("compute-worker.ts", import.meta.url);
  return runWorker(script, { data: task, maxHeapMb: MAX_HEAP_MB, timeoutMs, signal });
}
