import { Worker } from "node:worker_threads";
import { MmdbError } from "../mmdb/error.ts";
import type { CheckedDatabase } from "./check-database.ts";
import type { WorkerReport, WorkerTask } from "./check-worker.ts";
import type { KnownFiles } from "./known-files.ts";

const MIN_TIMEOUT_MS = 30_000;
const BYTES_PER_TIMEOUT_MS = 5_000;
/** For decoded values; the file itself is outside the heap. Checking 70 MB needs about 20 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** How long the check of a file may take: half a minute, or a second for each 5 MB if that is longer. */
export function timeoutOf(byteLength: number): number {
  return Math.max(MIN_TIMEOUT_MS, Math.ceil(byteLength / BYTES_PER_TIMEOUT_MS));
}

/**
 * Checks a database in a separate thread, so that this thread isn't blocked. The separate thread is terminated if it takes
 * too long or too much memory.
 * @param bytes transferred: unusable from now on. The returned bytes are exactly those that were checked.
 * @param options.signal aborts the check.
 * @param options.known files whose records need not be read again.
 * @throws MmdbError, or the signal's reason.
 */
export async function checkInWorker(
  bytes: ArrayBuffer,
  options: { signal?: AbortSignal | undefined; known?: KnownFiles | undefined; timeoutMs?: number } = {},
): Promise<CheckedDatabase & { bytes: Buffer }> {
  const { signal, known, timeoutMs = timeoutOf(bytes.byteLength) } = options;
  signal?.throwIfAborted();
  const worker = new Worker(new URL("check-worker.ts", import.meta.url), {
    workerData: { bytes, known } satisfies WorkerTask,
    transferList: [bytes],
    resourceLimits: RESOURCE_LIMITS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReport>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(
    () => reject(new MmdbError(`checking it takes more than ${Math.round(timeoutMs / 1_000)} s`)),
    timeoutMs,
  );
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) => {
    const tooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reject(tooLarge ? new MmdbError("checking it takes too much memory") : error);
  });
  worker.once("exit", () => reject(new MmdbError("its check ended without a result")));
  try {
    const report = await promise;
    if ("problem" in report) throw new MmdbError(report.problem, report.remedy);
    return { ...report.checked, bytes: Buffer.from(report.bytes) };
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
