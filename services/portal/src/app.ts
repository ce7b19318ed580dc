import { readFileSync } from "node:fs";
import { ERRORS, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import express, { type ErrorRequestHandler, type Express, type Response } from "express";
import { errorIndexPage, errorPage } from "./error-pages.ts";
import { html } from "./html.ts";
import { page } from "./page.ts";
import { startPage } from "./start-page.ts";

const SECURITY_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/**
 * The docs site: `/`, `/errors`, `/errors/<code>` for every code of the catalogue. GET and HEAD
 * only, no cookies, no scripts, nothing from other hosts.
 * @param onFault told of an unexpected error; the visitor gets a plain 500.
 */
export function createPortal(onFault: (error: unknown) => void): Express {
  const style = readFileSync(new URL("style.css", import.meta.url), "utf8");
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("case sensitive routing", true);

  app.use((req, res, next) => {
    res.set(SECURITY_HEADERS);
    if (req.method === "GET" || req.method === "HEAD") {
      res.set("Cache-Control", "public, max-age=300");
      next();
    } else {
      res.set("Allow", "GET, HEAD");
      sendPlain(res, 405, "Method not allowed", "These pages answer GET and HEAD.");
    }
  });
  app.get("/", (_req, res) => void res.send(startPage()));
  app.get("/style.css", (_req, res) => void res.type("css").send(style));
  app.get("/errors", (_req, res) => void res.send(errorIndexPage()));
  app.get("/errors/:code", (req, res, next) => {
    const { code } = req.params;
    if (isErrorCode(code)) res.send(errorPage(code));
    else next();
  });
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

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

function sendNotFound(res: Response): void {
  sendPlain(res, 404, "There is no such page", "The start page leads to everything there is.");
}

function sendPlain(res: Response, status: number, title: string, text: string): void {
  res
    .status(status)
    .set("Cache-Control", "no-store")
    .send(page(title, html`<h1>${title}</h1>\n<p>${text}</p>`));
}
