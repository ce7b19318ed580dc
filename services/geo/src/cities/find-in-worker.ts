import { Worker } from "node:worker_threads";
import type { FindTask, FoundCities } from "./find-cities-worker.ts";

/** DB-IP's city files take about a second each. */
const TIMEOUT_MS = 60_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Finds cities in a database in a separate thread, which reads the file again.
 * @param signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
export async function findInWorker(task: FindTask, signal?: AbortSignal): Promise<FoundCities> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("find-cities-worker.ts", import.meta.url), {
    workerData: task,
    resourceLimits: RESOURCE_LIMITS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<FoundCities>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => reject(new Error(`it takes more than ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
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
