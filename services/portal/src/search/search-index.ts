import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Asset } from "../asset.ts";
import type { DocsPage } from "../docs/docs-page.ts";

const WORKER = new URL("index-worker.ts", import.meta.url);
const TIMEOUT_MS = 30_000;

/**
 * The search index of some pages. It's made in a worker on first use, because it takes about a second, and standalone serves the API in
 * the same thread. It's made again if that failed or took longer than 30 s.
 * @param render returns the pages by their paths.
 */
export function createSearchIndex(render: () => Promise<ReadonlyMap<string, DocsPage>>): () => Promise<Asset> {
  let making: Promise<Asset> | undefined;
  return async () => {
    making ??= render().then(indexOf);
    try {
      return await making;
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
}

async function indexOf(pages: ReadonlyMap<string, DocsPage>): Promise<Asset> {
  const worker = new Worker(WORKER, { workerData: pages });
  try {
    const [json] = await once(worker, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { type: "json", body: Buffer.from(json) };
  } finally {
    await worker.terminate();
  }
}
