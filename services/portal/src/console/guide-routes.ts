import { Router } from "express";
import { sendAsset, sendText } from "../asset.ts";
import { type DocsPage, docsPage, inFrame, searchButton } from "../docs/docs-page.ts";
import { GUIDES_NAV } from "../docs/nav.ts";
import { SNIPPET_SCRIPTS } from "../docs/snippets.ts";
import { diagramAsset } from "../guides/diagrams.ts";
import { isPublic } from "../guides/guide-files.ts";
import { renderedGuides } from "../guides/guide-pages.ts";
import { html } from "../html.ts";
import { createSearchIndex } from "../search/search-index.ts";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { hiddenOf, sessionOf } from "./context.ts";
import { signOutForm } from "./frame.ts";

const ROOT = "/console/guides";

/** The guides for operators, with their own navigation and search. */
export function guideRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const searchIndex = createSearchIndex(renderOperatorsGuides);
  router.get("/guides/search.json", async (req, res) => sendAsset(req, res, await searchIndex()));
  router.get("/guides/diagrams/:name", async (req, res, next) => {
    const diagram = diagramAsset(req.params.name);
    if (diagram) await sendAsset(req, res, diagram);
    else next();
  });
  router.get(["/guides", "/guides/*name"], async (req, res, next) => {
    const path = req.baseUrl + req.path;
    const guide = await renderedGuides(path).get(path);
    if (guide === undefined) return next();
    const { "Content-Security-Policy": policy } = securityHeaders({
      ...scriptDirectives(null),
      "form-action": "'self'",
      "img-src": "'self' data:",
    });
    res.set("Content-Security-Policy", policy);
    const corner = html`${searchButton(`${ROOT}/search.json`)}${signOutForm(sessionOf(res), hiddenOf(res))}`;
    const page = docsPage(guide.title, guide.content, { path, scripts: SNIPPET_SCRIPTS });
    await sendText(req, res, "html", inFrame(page, { nav: GUIDES_NAV, corner }));
  });
  return router;
}

/** Their pages by path, for the search index. */
async function renderOperatorsGuides(): Promise<ReadonlyMap<string, DocsPage>> {
  const pages = new Map<string, DocsPage>();
  for (const [path, guide] of renderedGuides(ROOT)) {
    if (isPublic(path)) continue;
    const { title, content } = await guide;
    pages.set(path, docsPage(title, content));
  }
  return pages;
}
