import type { IncomingMessage } from "node:http";
import express from "express";
import { docsProxy } from "./docs-proxy.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Answers whatever is not the operation: the docs host's pages come from the portal, all else is no endpoint.
 * @param options.refuse answers a request that nobody here answers.
 * @param options.fail takes what a handler threw or rejected with.
 */
export function createRouter(options: {
  portalUrl: string | null;
  isForDocs: (req: IncomingMessage) => boolean;
  refuse: (exchange: Exchange) => void;
  fail: (exchange: Exchange, error: unknown) => void;
}): (exchange: Exchange) => void {
  const { portalUrl, isForDocs, refuse, fail } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.disable("query parser");
  if (portalUrl !== null) {
    const proxy = docsProxy(portalUrl);
    app.use((req, res, next) => (isForDocs(req) ? proxy(req, res, next) : next()));
  }
  return (exchange) =>
    app(exchange.req as express.Request, exchange.res as express.Response, (error: unknown) => {
      if (error) fail(exchange, error);
      else refuse(exchange);
    });
}
