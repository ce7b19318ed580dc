import { Worker } from "node:worker_threads";

/**
 * Does one task in a new thread, which ends with the task: when it posts its result, fails, takes too long or uses
 * too much memory.
 * @param options.data what the thread gets as `workerData`.
 * @param options.maxHeapMb for values that live longer than a moment.
 * @param options.signal aborts it.
 * @throws why it can't be done; the signal's reason.
 */
export async function runWorker<Result>(
  script: URL,
  options: { data: unknown; maxHeapMb: number; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Result> {
  const { data, maxHeapMb, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
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
