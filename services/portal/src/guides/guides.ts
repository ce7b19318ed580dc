import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Asset } from "../asset.ts";

let rendering: Promise<ReadonlyMap<string, Asset>> | undefined;

/**
 * The page of a guide, rendered from its Markdown file in docs/. All guides are rendered on first use, in a worker,
 * because that takes about half a second, and standalone serves the API in the same thread.
 * @param path of the page, such as `/guides/compose` or `/changelog`.
 * @returns null if there is no such guide.
 */
export async function guidePage(path: string): Promise<Asset | null> {
  rendering ??= renderGuides();
  try {
    return (await rendering).get(path) ?? null;
  } catch (error) {
    rendering = undefined;
    throw error;
  }
}

async function renderGuides(): Promise<ReadonlyMap<string, Asset>> {
  const [pages] = (await once(new Worker(new URL("./render-worker.ts", import.meta.url)), "message")) as [
    ReadonlyMap<string, string>,
  ];
  return new Map(Array.from(pages, ([path, text]) => [path, { type: "html", body: Buffer.from(text) }]));
}
