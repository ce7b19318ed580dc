import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connectOptions, type InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

/** How long a response of the portal may pause. The console's live updates send something every 10 s. */
const SILENCE_TIMEOUT_MS = 30_000;
/** Connections to the portal that are kept for later requests. */
const MAX_IDLE_SOCKETS = 20;

/** Headers for the docs: none that says who the caller is, whichever header a proxy uses for that, and no key. */
const FORWARDED_HEADERS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length"],
  ...["accept", "accept-encoding", "accept-language", "if-none-match", "if-modified-since", "range"],
]);

const CONSOLE_PATH = /^\/console(?:[/?]|$)/;

/** What else each part of the portal needs: the console, who is signed in, and where a form comes from; the admin API, the token. */
const MORE_HEADERS = [
  { path: CONSOLE_PATH, headers: ["cookie", "content-type", "origin"] },
  { path: /^\/account(?:[/?]|$)/, headers: ["content-type", "origin"] },
  { path: /^\/admin\/v1\//, headers: ["authorization", "content-type", "idempotency-key"] },
].map(({ path, headers }) => ({ path, allowed: new Set([...FORWARDED_HEADERS, ...headers]) }));

/** One request on its way to the portal. */
export interface Forwarding {
  req: IncomingMessage;
  res: ServerResponse;
  /** The request's whole body; null: it has none. */
  body: Buffer | null;
  /** Called with the portal's response before it is forwarded. Responding here replaces it. */
  onResponse(portalRes: IncomingMessage): void;
  /** Called when the portal fails before its response, or in the middle of it. */
  onFailure(error: unknown): void;
}

export interface PortalProxy {
  /** Forwards a request whose body has been read. */
  forward(forwarding: Forwarding): void;
  /** Cancels a request in progress, and frees its connection to the portal. */
  cancel(forwarding: Forwarding): void;
}

/**
 * @param settings.portalTls for connections to the portal, whatever the scheme of its URL. Default: none.
 * @param settings.operatorHeaders further headers that the console gets from this request.
 * @param maxSockets connections to the portal at once; never fewer than requests forwarded at once.
 */
export function createPortalProxy(
  {
    portalUrl,
    portalTls,
    operatorHeaders,
  }: {
    portalUrl: string;
    portalTls?: InternalTls | null;
    operatorHeaders: (req: IncomingMessage) => readonly string[];
  },
  maxSockets: number,
): PortalProxy {
  const byRequest = new WeakMap<IncomingMessage, Forwarding>();
  const sentRequests = new WeakMap<Forwarding, ClientRequest>();
  const canceled = new WeakSet<Forwarding>();
  const fail = (req: IncomingMessage, error: unknown) => byRequest.get(req)?.onFailure(error);

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.disable("query parser");
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: portalTls ? portalUrl.replace(/^http:/i, "https:") : portalUrl,
    agent: agentFor(portalTls, { keepAlive: true, maxSockets, maxFreeSockets: MAX_IDLE_SOCKETS }),
    proxyTimeout: SILENCE_TIMEOUT_MS,
    on: {
      proxyReq(portalReq, req) {
        const forwarding = byRequest.get(req);
        if (!forwarding || canceled.has(forwarding)) return void portalReq.destroy();
        sentRequests.set(forwarding, portalReq);
        const allowed = MORE_HEADERS.find(({ path }) => path.test(portalReq.path))?.allowed ?? FORWARDED_HEADERS;
        const ofOperator = CONSOLE_PATH.test(portalReq.path) ? operatorHeaders(req) : [];
        for (const name of portalReq.getHeaderNames())
          if (!allowed.has(name) && !ofOperator.includes(name)) portalReq.removeHeader(name);
        if (forwarding.body === null) return;
        portalReq.setHeader("Content-Length", forwarding.body.length);
        if (forwarding.body.length > 0) portalReq.write(forwarding.body);
      },
      proxyRes(portalRes, req, res) {
        // These two headers describe the portal's connection, not the caller's.
        delete portalRes.headers["keep-alive"];
        if (res.getHeader("Connection") === "close") portalRes.headers.connection = "close";
        else delete portalRes.headers.connection;
        byRequest.get(req)?.onResponse(portalRes);
      },
      // Not every failure reaches the middleware's own next(error), but all reach this handler.
      error: (error, req) => fail(req, error),
    },
  });
  app.use((req, res, next) => void proxy(req, res, next));
  return {
    forward(forwarding) {
      const { req, res } = forwarding;
      byRequest.set(req, forwarding);
      app(req as express.Request, res as express.Response, (error: unknown) => fail(req, error));
    },
    cancel(forwarding) {
      canceled.add(forwarding);
      sentRequests.get(forwarding)?.destroy();
    },
  };
}

function agentFor(tls: InternalTls | null | undefined, options: AgentOptions): HttpAgent {
  if (!tls) return new HttpAgent(options);
  // A resumed session would skip the check of the portal's identity.
  return new HttpsAgent({ ...options, ...connectOptions(tls, "portal"), maxCachedSessions: 0 });
}
