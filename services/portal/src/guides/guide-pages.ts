import { Worker } from "node:worker_threads";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type DocsPage, docsPage } from "../docs/docs-page.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { OWN_KEY_FORM, SNIPPET_SCRIPTS } from "../docs/snippets.ts";
import { Html, html } from "../html.ts";
import { findGuideFiles } from "./guide-files.ts";

const TIMEOUT_MS = 30_000;

/** A guide without the frame of its page. */
export interface Guide {
  title: string;
  content: Html;
}

let guides: ReadonlyMap<string, Promise<Guide>> | undefined;

/**
 * All guides by their paths, rendered from their Markdown files on first use, and again if that failed. It takes about a second, so a
 * worker does it: standalone serves the API in the same thread.
 * @param first the path of the guide to render first, so that its reader doesn't wait for the others.
 */
export function renderedGuides(first: string): ReadonlyMap<string, Promise<Guide>> {
  guides ??= render(first);
  return guides;
}

/** The page of a guide that everyone can read, with the deployment's own addresses. */
export function publicGuide(path: string): (deployment: DeploymentInfo) => Promise<DocsPage> {
  return async (deployment) => {
    const guide = await renderedGuides(path).get(path);
    if (guide === undefined) throw new Error(`docs/site has no guide for ${path}`);
    const content = withOwnKeyField(withOwnAddresses(guide.content, deployment));
    return docsPage(guide.title, content, { path, scripts: SNIPPET_SCRIPTS });
  };
}

const EXAMPLES = urlsOrExamples({ apiUrl: null, docsUrl: null });

/** A guide with the deployment's own addresses in place of `https://geo.example.com` and its docs site. */
export function withOwnAddresses(guide: Html, deployment: Pick<DeploymentInfo, "apiUrl" | "docsUrl">): Html {
  const own = urlsOrExamples(deployment);
  let { text } = guide;
  for (const name of ["docsUrl", "apiUrl"] as const)
    text = text.replaceAll(EXAMPLES[name], () => html`${own[name]}`.text);
  return new Html(text);
}

/** Adds the field for the reader's key before the first code, if the guide has code to fill the key in. */
function withOwnKeyField({ text }: Html): Html {
  if (!text.includes('class="own-key')) return new Html(text);
  return new Html(text.replace(/<div class="(?:code|tabs)"/, (code) => `${OWN_KEY_FORM.text}\n${code}`));
}

function render(first: string): ReadonlyMap<string, Promise<Guide>> {
  const rendered = new Map(findGuideFiles().map(({ path }) => [path, Promise.withResolvers<Guide>()]));
  const worker = new Worker(new URL("render-worker.ts", import.meta.url), { workerData: first });
  const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  const fail = (error: Error) => {
    guides = undefined;
    for (const { reject } of rendered.values()) reject(error);
  };
  worker.on("message", ([path, title, markup]: [string, string, string]) =>
    rendered.get(path)?.resolve({ title, content: new Html(markup) }),
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
