import type { Asset } from "../asset.ts";
import { madeInWorker } from "../in-worker.ts";

/**
 * The search index of the docs for browsers.
 * @param renderPages every page by its path. Later changes to the deployment aren't indexed.
 */
export function createSearchIndex(renderPages: () => Promise<ReadonlyMap<string, string>>): () => Promise<Asset> {
  return madeInWorker(
    new URL("./index-worker.ts", import.meta.url),
    renderPages,
    (json: string): Asset => ({ type: "json", body: Buffer.from(json) }),
  );
}
