import express, { type ErrorRequestHandler, type Express, type Response, type Router } from "express";
import { docsRoutes } from "./docs/docs-routes.ts";
import { html } from "./html.ts";
import { page } from "./page.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Site } from "./site.ts";

/**
 * The docs site. GET and HEAD only, no cookies, nothing from other hosts but the API's answers; beside it, with rules
 * of its own, the operator console.
 * @param site what it tells of the deployment; asked with every request.
 * @param console serves what is under `/console`.
 * @param onFault told of an unexpected error; the visitor gets a plain 500.
 */
export function createPortal(site: () => Site, console: Router, onFault: (error: unknown) => void): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("case sensitive routing", true);

  app.use("/console", console);
  app.use((req, res, next) => {
    res.set(securityHeaders());
    if (req.method === "GET" || req.method === "HEAD") {
      res.set("Cache-Control", "public, max-age=300");
      next();
    } else {
      res.set("Allow", "GET, HEAD");
      sendPlain(res, 405, "Method not allowed", "These pages answer GET and HEAD.");
    }
  });
  app.use(docsRoutes(site));
  app.use((_req, res) => sendNotFound(res));
  const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, _next) => {
    // Express refuses a path with malformed escapes by throwing a 400.
    if (error.status === 400) return sendNotFound(res);
    onFault(error);
    sendPlain(res, 500, "The page failed", "Please try again in a moment.");
  };
  app.use(onError);
  return app;
}

function sendNotFound(res: Response): void {
  sendPlain(res, 404, "There is no such page", "The navigation leads to everything there is.");
}

function sendPlain(res: Response, status: number, title: string, text: string): void {
  res
    .status(status)
    .set("Cache-Control", "no-store")
    .send(page(title, html`<h1>${title}</h1>\n<p>${text}</p>`));
}
