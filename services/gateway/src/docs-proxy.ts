import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

/** How long the portal may take to answer. */
const PROXY_TIMEOUT_MS = 5_000;

/** All that the portal is told: not who the caller is, whatever header a proxy puts that into, and no key. */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding"],
  ...["accept", "accept-encoding", "accept-language", "if-none-match", "if-modified-since", "range"],
]);

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
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: portalUrl,
    proxyTimeout: PROXY_TIMEOUT_MS,
    on: {
      proxyReq: (proxyReq) => {
        for (const name of proxyReq.getHeaderNames()) if (!FORWARDED_HEADERS.has(name)) proxyReq.removeHeader(name);
      },
      // Not every failure reaches the middleware's own next(error): this one does.
      error: (error, req) => failures.get(req)?.(error),
    },
  });
  return (req, res, next) => {
    const fail = (error: unknown) => {
      if (failures.delete(req)) next(error);
    };
    failures.set(req, fail);
    void proxy(req, res, fail);
  };
}
