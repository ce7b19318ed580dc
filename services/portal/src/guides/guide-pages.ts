import { Worker } from "node:worker_threads";
import type { Asset } from "../asset.ts";
import { findGuideFiles } from "./guide-files.ts";

const TIMEOUT_MS = 30_000;

/** Pages by their paths. */
export type GuidePages = ReadonlyMap<string, Promise<Asset>>;

let pages: GuidePages | undefined;

/**
 * The pages of all guides, rendered from their Markdown files on first use, and again if that failed. It takes about a second, so a worker
 * does it: standalone serves the API in the same thread.
 * @param first the path of the page to render first, so that its reader doesn't wait for the others.
 */
export function guidePages(first = "/guides"): GuidePages {
  pages ??= render(first);
  return pages;
}

function render(first: string): GuidePages {
  const rendered = new Map(findGuideFiles().map(({ path }) => [path, Promise.withResolvers<Asset>()]));
  const worker = new Worker(new URL("render-worker.ts", import.meta.url), { workerData: first });
  const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  const fail = (error: Error) => {
    pages = undefined;
    for (const { reject } of rendered.values()) reject(error);
  };
  worker.on("message", ([path, text]: [string, string]) =>
    rendered.get(path)?.resolve({ type: "html", body: Buffer.from(text) }),
  );
  worker.once("error", fail);
  worker.once("exit", (status) => {
    clearTimeout(timer);
    if (status !== 0) fail(new Error(`rendering the guides failed or took more than ${TIMEOUT_MS / 1_000} s`));
  });
  // A failure is reported by the requests that wait for a page.
  for (const { promise } of rendered.values()) promise.catch(() => {});
  return new Map(Array.from(rendered, ([path, { promise }]) => [path, promise]));
}
