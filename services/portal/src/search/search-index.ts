import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Asset } from "../asset.ts";

const INDEX_TIMEOUT_MS = 30_000;

/**
 * The search index of the docs for browsers, built in a worker on first use.
 * @param renderPages every page by its path. Later changes to the deployment aren't indexed.
 */
export function createSearchIndex(renderPages: () => Promise<ReadonlyMap<string, string>>): () => Promise<Asset> {
  let making: Promise<Asset> | undefined;
  return async () => {
    making ??= renderPages().then(makeIndex);
    try {
      return await making;
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
}

/** @throws Error if the worker fails or takes too long. */
async function makeIndex(pages: ReadonlyMap<string, string>): Promise<Asset> {
  const worker = new Worker(new URL("./index-worker.ts", import.meta.url), { workerData: pages });
  try {
    const [json] = (await once(worker, "message", { signal: AbortSignal.timeout(INDEX_TIMEOUT_MS) })) as [string];
    return { type: "json", body: Buffer.from(json) };
  } finally {
    await worker.terminate();
  }
}
