import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

/** How long the portal may take to answer. */
const PROXY_TIMEOUT_MS = 5_000;

/** What the portal has no need to know: who the caller is, and keys sent to the wrong host. */
const WITHHELD_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "authorization", "x-api-key"];

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

/** Forwards a request to the portal. A failure goes to the error handler. */
export function docsProxy(portalUrl: string): RequestHandler {
  return createProxyMiddleware({
    target: portalUrl,
    proxyTimeout: PROXY_TIMEOUT_MS,
    on: {
      proxyReq: (proxyReq) => {
        for (const name of WITHHELD_HEADERS) proxyReq.removeHeader(name);
      },
      // The middleware calls next(error) itself; without a listener it would answer in plain text.
      error: () => {},
    },
  }) as RequestHandler;
}
