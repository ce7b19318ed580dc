import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import express, { type ErrorRequestHandler, type Express, type Response, type Router } from "express";
import { API_PATH } from "./admin-api/api-router.ts";
import type { DeploymentInfo } from "./deployment/deployment-info.ts";
import { docsPage, inDocsFrame } from "./docs/docs-page.ts";
import { docsRoutes } from "./docs-routes.ts";
import { html } from "./html.ts";
import { page } from "./page.ts";
import { scriptDirectives, securityHeaders } from "./security-headers.ts";

/**
 * The docs site (GET and HEAD only, no cookies, nothing loaded from other hosts) and the operator console, which sets
 * its own rules.
 * @param deployment returns the deployment's addresses, plans and limits; called for each request.
 * @param console serves everything under `/console`.
 * @param onFault receives unexpected errors; the visitor gets a plain 500.
 * @param more.api serves everything under `/admin/v1`. Default: nothing does.
 * @param more.account serves the forms of `/account`. Default: nothing does.
 */
export function createPortal(
  deployment: () => DeploymentInfo,
  console: Router,
  onFault: (error: unknown) => void,
  { api, account }: { api?: Router | null; account?: Router | null } = {},
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("case sensitive routing", true);

  app.use("/console", console);
  if (api) app.use(API_PATH, api);
  if (account) app.use(account);
  app.use((req, res, next) => {
    res.set(securityHeaders());
    if (req.method === "GET" || req.method === "HEAD") {
      res.set("Cache-Control", "public, max-age=300");
      next();
    } else {
      res.set("Allow", "GET, HEAD");
      sendPlain(res, deployment(), 405, "Method not allowed", "These pages support GET and HEAD.");
    }
  });
  app.get("/v1/geo", (_req, res) => sendNotTheApi(res, deployment()));
  app.use(docsRoutes(deployment));
  app.use((_req, res) => sendNotFound(res, deployment()));
  const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, _next) => {
    // Express throws a 400 for a path with malformed percent-encoding.
    if (error.status === 400) return sendNotFound(res, deployment());
    onFault(error);
    sendPlain(
      res,
      deployment(),
      500,
      "Something went wrong",
      "This page failed to load. Please try again in a moment.",
    );
  };
  app.use(onError);
  return app;
}

/** In the API's format, and readable by pages: someone has taken the docs host for the API. */
function sendNotTheApi(res: Response, { apiUrl, docsUrl }: DeploymentInfo): void {
  res.status(404).set({ "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" });
  res.json(errorBody({ code: "not_found", apiUrl }, docsUrl ?? ""));
}

function sendNotFound(res: Response, deployment: DeploymentInfo): void {
  res.set(securityHeaders(scriptDirectives(null)));
  res.status(404).set("Cache-Control", "no-store").send(inDocsFrame(NOT_FOUND, deployment));
}

/** The page's script searches for the words in the address. */
const NOT_FOUND = docsPage(
  "Page not found",
  html`<h1>Page not found</h1>
<p>This page doesn't exist. Search the docs, or use the navigation.</p>
<div class="search-box" data-search></div>`,
);

function sendPlain(res: Response, { site }: DeploymentInfo, status: number, title: string, text: string): void {
  res
    .status(status)
    .set("Cache-Control", "no-store")
    .send(page(title, html`<h1>${title}</h1>\n<p>${text}</p>`, { site }));
}
