import { Router } from "express";
import { sendAsset } from "../asset.ts";
import { type DocsPage, docsPage, inFrame, searchButton } from "../docs/docs-page.ts";
import { GUIDES_NAV } from "../docs/nav.ts";
import { SNIPPET_SCRIPTS } from "../docs/snippets.ts";
import { diagramAsset } from "../guides/diagrams.ts";
import { isPublic } from "../guides/guide-files.ts";
import { renderedGuides } from "../guides/guide-pages.ts";
import { html } from "../html.ts";
import { createSearchIndex } from "../search/search-index.ts";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";
import { signOutForm } from "./frame.ts";

const ROOT = "/console/guides";

/** The guides for operators, with their own navigation and search. */
export function guideRoutes({ sessions }: Pick<ConsoleContext, "sessions">): Router {
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
    const corner = html`${searchButton(`${ROOT}/search.json`)}${signOutForm(sessionOf(res), sessions.csrfToken(sessionOf(res)))}`;
    const page = docsPage(guide.title, guide.content, { path, scripts: SNIPPET_SCRIPTS });
    const text = inFrame(page, { nav: GUIDES_NAV, corner });
    await sendAsset(req, res, { type: "html", body: Buffer.from(text) });
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
