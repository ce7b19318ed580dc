import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Asset } from "../asset.ts";

const RENDER_TIMEOUT_MS = 30_000;

let rendering: Promise<ReadonlyMap<string, Asset>> | undefined;

/**
 * The page of a guide, rendered from its Markdown file in docs/.
 * @param path of the page, such as `/guides/compose` or `/changelog`.
 * @returns null if the guide doesn't exist.
 */
export async function guidePage(path: string): Promise<Asset | null> {
  return (await guidePages()).get(path) ?? null;
}

/**
 * The pages of all guides by their paths. They are rendered on first use, in a worker, because that takes about a second,
 * and standalone serves the API in the same thread.
 */
export async function guidePages(): Promise<ReadonlyMap<string, Asset>> {
  rendering ??= renderGuides();
  try {
    return await rendering;
  } catch (error) {
    rendering = undefined;
    throw error;
  }
}

/** @throws Error if the worker fails or takes too long. */
async function renderGuides(): Promise<ReadonlyMap<string, Asset>> {
  const worker = new Worker(new URL("./render-worker.ts", import.meta.url));
  try {
    const signal = AbortSignal.timeout(RENDER_TIMEOUT_MS);
    const [pages] = (await once(worker, "message", { signal })) as [ReadonlyMap<string, string>];
    return new Map(Array.from(pages, ([path, text]) => [path, { type: "html", body: Buffer.from(text) }]));
  } finally {
    await worker.terminate();
  }
}
