import { once } from "node:events";
import { Worker } from "node:worker_threads";

const TIMEOUT_MS = 30_000;

/** The first message of a worker, which then ends. @throws Error if the worker fails or takes longer than 30 s. */
async function firstMessage(file: URL, workerData: unknown): Promise<unknown> {
  const worker = new Worker(file, { workerData });
  try {
    const [message] = await once(worker, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return message;
  } finally {
    await worker.terminate();
  }
}

/**
 * Something made in a worker on first use, because it takes about a second, and standalone serves the API in the same thread. It is
 * made again if that failed.
 * @param prepare returns the worker's data. @param use makes the result of the worker's message.
 */
export function madeInWorker<Message, Result>(
  file: URL,
  prepare: () => Promise<unknown>,
  use: (message: Message) => Result,
): () => Promise<Result> {
  let making: Promise<Result> | undefined;
  return async () => {
    making ??= prepare().then(async (data) => use((await firstMessage(file, data)) as Message));
    try {
      return await making;
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
}
