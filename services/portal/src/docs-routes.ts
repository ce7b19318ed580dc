import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EDGE_ERROR_CODES } from "@geolookup/shared/domain/edge-errors.ts";
import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { Router } from "express";
import { accountPage } from "./account/account-page.ts";
import { accountHeaders } from "./account/account-routes.ts";
import { type Asset, sendAsset, sendText } from "./asset.ts";
import { agreementView } from "./data-report/comparison-view.ts";
import { type DeploymentInfo, hasAccount } from "./deployment/deployment-info.ts";
import { dataPage, dataSources } from "./docs/data-page.ts";
import { type DocsPage, inDocsFrame } from "./docs/docs-page.ts";
import { browserHelper, DOWNLOADS, HELPER_VERSIONS } from "./docs/downloads.ts";
import { edgeErrorPage, errorIndexPage, errorPage } from "./docs/error-pages.ts";
import { urlsOrExamples } from "./docs/examples.ts";
import { llmsTxt, markdownPath } from "./docs/llms-txt.ts";
import { privacyPage } from "./docs/privacy-page.ts";
import { securityTxt } from "./docs/security-txt.ts";
import { startPage } from "./docs/start-page.ts";
import { publicGuide } from "./guides/guide-pages.ts";
import { openApiDocument } from "./openapi/document.ts";
import { referencePage } from "./openapi/reference-page.ts";
import { createSearchIndex } from "./search/search-index.ts";
import { scriptDirectives, securityHeaders } from "./security-headers.ts";

const ASSETS = new URL("docs/assets/", import.meta.url);

/** The parts of `/style.css`, in their order. */
const STYLES = ["tokens", "theme", "text", "frame", "nav", "tables", "controls", "search", "demo", "reference"];

const SEARCH_LIBRARY = new URL(import.meta.resolve("minisearch"));

const FONT = fileURLToPath(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));

/** Any page can import a script with these, including pages with a Cross-Origin-Embedder-Policy. */
const IMPORTABLE = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };

type Page = (deployment: DeploymentInfo) => DocsPage | Promise<DocsPage>;

/** Only if there is a page for customers. */
const ACCOUNT = "/account";

/** Every page of the docs by its path. */
const PAGES: Readonly<Record<string, Page>> = {
  "/": startPage,
  "/errors": errorIndexPage,
  "/privacy": privacyPage,
  [ACCOUNT]: accountPage,
  "/data": async (deployment) => dataPage(deployment, agreementView(await deployment.report())),
  "/reference": referencePage,
  ...Object.fromEntries(
    ["/front-end", "/back-end", "/coming-from", "/changelog"].map((path) => [path, publicGuide(path)]),
  ),
  ...Object.fromEntries(
    ERROR_CODES.map((code) => [`/errors/${code}`, (deployment: DeploymentInfo) => errorPage(code, deployment)]),
  ),
};

/** The pages that only the edge port's errors link to. They are for operators, so nothing else lists them. */
const UNLISTED_PAGES: typeof PAGES = Object.fromEntries(
  EDGE_ERROR_CODES.map((code) => [`/errors/${code}`, (deployment: DeploymentInfo) => edgeErrorPage(code, deployment)]),
);

/** Where pages are that had another path before. */
const MOVED: Readonly<Record<string, string>> = {
  "/quick-start": "/",
  "/authentication": "/reference#authentication",
  "/fields": "/reference#record",
  "/limits": "/reference#limits",
  "/guides": "/",
  "/guides/front-end": "/front-end",
  "/guides/content-security-policy": "/front-end#content-security-policy",
  "/guides/back-end": "/back-end",
  "/guides/privacy": "/privacy",
  "/guides/server-package": "/back-end",
  "/guides/capacity": "/console/guides",
  "/guides/console": "/console/guides/keys#in-the-console",
  "/guides/decisions": "/console/guides",
  "/guides/docs-site": "/console/guides/production#the-docs-site",
  "/guides/licenses": "/console/guides",
  "/guides/metrics": "/console/guides/monitor",
  "/guides/operations": "/console/guides",
  "/guides/performance": "/console/guides",
};

/** The docs pages, one page per error code, the OpenAPI description with its reference page, and their assets. */
export function docsRoutes(deployment: () => DeploymentInfo): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const style: Asset = { type: "css", body: Buffer.concat(STYLES.map((name) => readAsset(`style/${name}.css`))) };
  router.get("/style.css", (req, res) => sendAsset(req, res, style));
  const font = readFileSync(FONT);
  router.get("/assets/inter.woff2", (_req, res) => {
    res.set("Cache-Control", "public, max-age=604800").type("woff2").send(font);
  });
  for (const name of readdirSync(ASSETS).filter((each) => each.endsWith(".js"))) {
    const script: Asset = { type: "js", body: readAsset(name) };
    router.get(`/assets/${name}`, (req, res) => sendAsset(req, res, script));
  }
  router.get("/geolookup.js", async (req, res) => {
    res.set(IMPORTABLE);
    await sendAsset(req, res, browserHelper(deployment().apiUrl));
  });
  router.get("/geolookup/:file", async (req, res, next) => {
    const helper = HELPER_VERSIONS.get(req.params.file);
    if (helper === undefined) return next();
    res.set({ ...IMPORTABLE, "Cache-Control": "public, max-age=31536000, immutable" });
    await sendAsset(req, res, helper);
  });
  // As they are: npm's packages are compressed already.
  for (const [path, { type, body }] of DOWNLOADS) router.get(path, (_req, res) => void res.type(type).send(body));
  router.get([ACCOUNT, markdownPath(ACCOUNT)], (_req, _res, next) =>
    next(hasAccount(deployment().site) ? undefined : "router"),
  );
  for (const [path, render] of Object.entries({ ...PAGES, ...UNLISTED_PAGES })) {
    router.get(path, async (req, res) => {
      const current = deployment();
      res.set(path === ACCOUNT ? accountHeaders() : securityHeaders(scriptDirectives(current.apiUrl)));
      // It contains the demo key, which can be revoked at any time.
      if (path === "/") res.set("Cache-Control", "no-cache");
      await sendText(req, res, "html", inDocsFrame(await render(current), current));
    });
    let latest: { source: string; markdown: Asset } | undefined;
    router.get(markdownPath(path), async (req, res) => {
      const current = deployment();
      const { docsUrl } = urlsOrExamples(current);
      const page = await render(current);
      const source = docsUrl + page.content.text;
      // Kept, because making it takes about 40 ms, in which standalone's API can't respond.
      if (latest?.source !== source) {
        // Its library takes 10 MB of memory, and few readers are programs.
        const { markdownOf } = await import("./docs/page-markdown.ts");
        latest = { source, markdown: { type: "md", body: Buffer.from(markdownOf(page, docsUrl)) } };
      }
      await sendAsset(req, res, latest.markdown);
    });
  }
  router.get("/llms.txt", (req, res) => sendText(req, res, "txt", llmsTxt(deployment())));
  let library: Asset | undefined;
  router.get("/assets/minisearch.js", async (req, res) => {
    library ??= { type: "js", body: readFileSync(SEARCH_LIBRARY) };
    await sendAsset(req, res, library);
  });
  // Later changes to the deployment aren't indexed.
  const searchIndex = createSearchIndex(() => renderPages(deployment()));
  router.get("/search.json", async (req, res) => sendAsset(req, res, await searchIndex()));
  for (const [path, target] of Object.entries(MOVED)) router.get(path, (_req, res) => res.redirect(301, target));
  router.get("/guides/:page", (req, res, next) => {
    if (/^[a-z-]+$/.test(req.params.page)) res.redirect(301, `/console/guides/${req.params.page}`);
    else next();
  });
  router.get("/.well-known/security.txt", async (req, res, next) => {
    const { securityContacts, docsUrl } = deployment();
    if (securityContacts.length === 0) return next();
    await sendText(req, res, "txt", securityTxt(securityContacts, docsUrl, Date.now()));
  });
  router.get("/data.json", async (req, res) => {
    res.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache" });
    await sendText(req, res, "json", JSON.stringify(await dataSources(deployment())));
  });
  router.get("/openapi.json", (req, res) => sendText(req, res, "json", JSON.stringify(openApiDocument(deployment()))));
  return router;
}

/** Every page of the docs by its path, for the search index. */
async function renderPages(current: DeploymentInfo): Promise<ReadonlyMap<string, DocsPage>> {
  const pages = new Map<string, DocsPage>();
  for (const [path, render] of Object.entries(PAGES))
    if (path !== ACCOUNT || hasAccount(current.site)) pages.set(path, await render(current));
  return pages;
}

function readAsset(name: string): Buffer {
  return readFileSync(new URL(name, ASSETS));
}
