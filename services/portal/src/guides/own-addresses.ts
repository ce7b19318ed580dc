import type { Asset } from "../asset.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { html } from "../html.ts";

/** Guides for developers who call this deployment's API. Other guides keep the example addresses. */
const GUIDES: readonly string[] = [
  "/guides/api",
  "/guides/back-end",
  "/guides/content-security-policy",
  "/guides/front-end",
  "/guides/server-package",
];

type Urls = Pick<DeploymentInfo, "apiUrl" | "docsUrl">;

const EXAMPLES = urlsOrExamples({ apiUrl: null, docsUrl: null });
/** Those of `make start`. */
const LOCAL = { apiUrl: "http://127.0.0.1:8080", docsUrl: "http://docs.localhost:8080" };

/** The latest page of each guide, reused so that it is compressed only once. */
const pages = new Map<string, { guide: Asset; own: Required<{ [Name in keyof Urls]: string }>; page: Asset }>();

/** A guide with the deployment's own addresses in place of `https://geo.example.com`, those of `make start`, and their docs sites. */
export function withOwnAddresses(path: string, guide: Asset, urls: Urls): Asset {
  if (!GUIDES.includes(path)) return guide;
  const own = urlsOrExamples(urls);
  const latest = pages.get(path);
  if (latest?.guide === guide && latest.own.apiUrl === own.apiUrl && latest.own.docsUrl === own.docsUrl)
    return latest.page;
  let text = guide.body.toString();
  for (const name of ["docsUrl", "apiUrl"] as const) {
    const replacement = html`${own[name]}`.text;
    text = text.replaceAll(EXAMPLES[name], () => replacement);
    if (urls[name] !== null) text = text.replaceAll(LOCAL[name], () => replacement);
  }
  const page = { type: guide.type, body: Buffer.from(text) };
  pages.set(path, { guide, own, page });
  return page;
}
