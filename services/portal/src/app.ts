import express, { type ErrorRequestHandler, type Express, type Response, type Router } from "express";
import type { DeploymentInfo } from "./deployment/deployment-info.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { html } from "./html.ts";
import { page } from "./page.ts";
import { securityHeaders } from "./security-headers.ts";

/**
 * The docs site (GET and HEAD only, no cookies, nothing loaded from other hosts) and the operator console, which sets
 * its own rules.
 * @param deployment what the site says about the deployment; called for each request.
 * @param console serves everything under `/console`.
 * @param onFault receives unexpected errors; the visitor gets a plain 500.
 */
export function createPortal(
  deployment: () => DeploymentInfo,
  console: Router,
  onFault: (error: unknown) => void,
): Express {
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
      sendPlain(res, 405, "Method not allowed", "These pages support GET and HEAD.");
    }
  });
  app.use(docsRoutes(deployment));
  app.use((_req, res) => sendNotFound(res));
  const onError: ErrorRequestHandler = (error: { status?: number }, _req, res, _next) => {
    // Express throws a 400 for a path with malformed percent-encoding.
    if (error.status === 400) return sendNotFound(res);
    onFault(error);
    sendPlain(res, 500, "Something went wrong", "This page failed to load. Please try again in a moment.");
  };
  app.use(onError);
  return app;
}

function sendNotFound(res: Response): void {
  sendPlain(res, 404, "Page not found", "Use the navigation to find the page you're looking for.");
}

function sendPlain(res: Response, status: number, title: string, text: string): void {
  res
    .status(status)
    .set("Cache-Control", "no-store")
    .send(page(title, html`<h1>${title}</h1>\n<p>${text}</p>`));
}
