import { Worker } from "node:worker_threads";
import type { ComputeTask } from "./compute-worker.ts";
import type { TimezoneTable } from "./timezone-table.ts";

/** DB-IP's two city files take 5 s together on one core. */
const TIMEOUT_MS = 120_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Computes the time zones of a checked database's records in a separate thread, which reads the file again.
 * @param options.signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
export async function computeInWorker(
  task: ComputeTask,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<TimezoneTable> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("compute-worker.ts", import.meta.url), {
    workerData: task,
    resourceLimits: RESOURCE_LIMITS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<TimezoneTable>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => reject(new Error(`it takes more than ${timeoutMs / 1_000} s`)), timeoutMs);
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("it ended without a result")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
