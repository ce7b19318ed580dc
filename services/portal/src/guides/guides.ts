import type { Asset } from "../asset.ts";
import { madeInWorker } from "../in-worker.ts";

/**
 * The page of a guide, rendered from its Markdown file in docs/.
 * @param path of the page, such as `/guides/compose` or `/changelog`.
 * @returns null if the guide doesn't exist.
 */
export async function guidePage(path: string): Promise<Asset | null> {
  return (await guidePages()).get(path) ?? null;
}

/** The pages of all guides by their paths. @throws Error if they can't be rendered. */
export const guidePages = madeInWorker(
  new URL("./render-worker.ts", import.meta.url),
  async () => undefined,
  (pages: ReadonlyMap<string, string>): ReadonlyMap<string, Asset> =>
    new Map(Array.from(pages, ([path, text]) => [path, { type: "html", body: Buffer.from(text) }])),
);
