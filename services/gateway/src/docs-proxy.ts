import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

/** How long the portal may take to answer. */
const PROXY_TIMEOUT_MS = 5_000;

/** How long live updates of the console may be silent: it says something every 10 s. */
const STREAM_TIMEOUT_MS = 30_000;

/** All that the docs are told: not who the caller is, whatever header a proxy puts that into, and no key. */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding"],
  ...["accept", "accept-encoding", "accept-language", "if-none-match", "if-modified-since", "range"],
]);

/** What the operator console is told besides: who is signed in, and where a form comes from. */
const CONSOLE_HEADERS: ReadonlySet<string> = new Set([...FORWARDED_HEADERS, "cookie", "content-type", "origin"]);
const CONSOLE_PATH = /^\/console(?:[/?]|$)/;
const STREAM_PATH = /^\/console\/[^?]*\/events(?:\?|$)/;

/**
 * Tells whether a request is for the docs host: the host and port of DOCS_URL.
 * @param docsUrl an absolute URL.
 */
export function docsHostMatcher(docsUrl: string): (req: IncomingMessage) => boolean {
  const { host, protocol } = new URL(docsUrl);
  const defaultPort = protocol === "https:" ? ":443" : ":80";
  return ({ headers }) => {
    const sent = headers.host?.toLowerCase();
    return sent !== undefined && (sent === host || sent === host + defaultPort);
  };
}

/** Forwards a request to the portal. A failure goes to the error handler, once. */
export function docsProxy(portalUrl: string): RequestHandler {
  const failures = new WeakMap<IncomingMessage, (error: unknown) => void>();
  const forward = (proxyTimeout: number) =>
    createProxyMiddleware<IncomingMessage, ServerResponse>({
      target: portalUrl,
      proxyTimeout,
      on: {
        proxyReq: (proxyReq) => {
          const allowed = CONSOLE_PATH.test(proxyReq.path) ? CONSOLE_HEADERS : FORWARDED_HEADERS;
          for (const name of proxyReq.getHeaderNames()) if (!allowed.has(name)) proxyReq.removeHeader(name);
        },
        // Not every failure reaches the middleware's own next(error): this one does.
        error: (error, req) => failures.get(req)?.(error),
      },
    });
  const pages = forward(PROXY_TIMEOUT_MS);
  const streams = forward(STREAM_TIMEOUT_MS);
  return (req, res, next) => {
    const fail = (error: unknown) => {
      if (failures.delete(req)) next(error);
    };
    failures.set(req, fail);
    void (STREAM_PATH.test(req.url) ? streams : pages)(req, res, fail);
  };
}
