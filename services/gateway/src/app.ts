import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Problem, Unreadable } from "@geolookup/shared/domain/errors.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Certificate } from "@geolookup/shared/runtime/tls/certificate.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { createOverload } from "./connections/overload.ts";
import { protectServer, SERVER_OPTIONS, type ServerLimits } from "./connections/protect-server.ts";
import { docsHostMatcher } from "./portal-proxy/docs-host.ts";
import { createDocsSite } from "./portal-proxy/docs-site.ts";
import { type LookupParts, type LookupSettings, lookup } from "./lookup.ts";
import { createMetrics } from "./metrics.ts";
import { type Exchange, isOver, openExchange } from "./request/exchange.ts";
import { type AccessLog, createRequestLog } from "./request/request-log.ts";
import { toOriginForm, unreadableOf } from "./request/request-target.ts";
import { errorResponse } from "./responses/error-response.ts";
import { isLastPreflight, sendPreflight } from "./responses/preflight.ts";
import { type Handler, matchRoute } from "./routes.ts";
import { createPublicServer, type PublicServer } from "./tls/public-server.ts";

export interface AppSettings extends LookupSettings, ServerLimits {
  /** Base address of the docs site. A function, because it may have the port, which isn't known yet. */
  docsUrl: () => string;
  /** The portal's address; null: none is running. */
  portalUrl: string | null;
  /** For connections to the portal. Null or absent: they have no TLS. */
  portalTls?: InternalTls | null;
  accessLog: AccessLog;
  /** For tests: half of the longest wait for a slot, in milliseconds. */
  overloadIntervalMs?: number;
  /** Null: plain HTTP. */
  certificate: Certificate | null;
}

export interface App extends PublicServer {
  /** Requests in progress. */
  inFlight(): number;
  /** From now on the newest response on each connection closes it, including those to requests in progress. */
  drain(): void;
}

/**
 * The public HTTP server. routes.ts decides what serves a request. The API doesn't use Express:
 * docs/decisions/bypassing-express.md.
 */
export function createApp(
  settings: AppSettings,
  parts: LookupParts,
  context: { log: Logger; registry: Registry; clock: Clock },
): App {
  const { log, clock } = context;
  let working = 0;
  const metrics = createMetrics(context.registry, {
    inFlight: () => working,
    maxInFlight: settings.maxInFlight,
    waiting: () => overload.waiting(),
    unsent: () => connections.unsent(),
  });
  const overload = createOverload(settings, metrics, context);
  const logRequest = createRequestLog(log, settings.accessLog);

  const sendError = (exchange: Exchange, problem: Problem) => {
    const { status, headers, body } = errorResponse(problem, settings.docsUrl(), clock());
    exchange.code = problem.code;
    exchange.res.writeHead(status, headers).end(body);
  };
  const fail = (exchange: Exchange, error: unknown) => {
    budgeted(log).error({ err: error }, "request failed");
    if (exchange.res.writableEnded) return;
    if (exchange.res.headersSent) exchange.res.destroy();
    else sendError(exchange, { code: "internal_error", reason: "fault" });
  };
  /** @returns the problem to respond with; null if the response is sent. */
  const handlers: Record<
    Exclude<Handler, "portal">,
    (exchange: Exchange) => Problem | null | Promise<Problem | null>
  > = {
    preflight: ({ res }) => {
      sendPreflight(res);
      return null;
    },
    lookup: (exchange) => lookup(parts, settings, metrics, exchange),
    notFound: ({ req }) => ({ code: "not_found", method: req.method ?? "", path: req.url ?? "" }),
  };
  const serve = async (exchange: Exchange, handler: Exclude<Handler, "portal">) => {
    working += 1;
    try {
      if (handler === "lookup") {
        // Node's parser emits a request before it reads the body that came with it. If that is invalid, the request has been refused.
        await null;
        if (isOver(exchange)) return;
      }
      const problem = await handlers[handler](exchange);
      if (problem && !isOver(exchange)) sendError(exchange, problem);
    } catch (error) {
      fail(exchange, error);
    } finally {
      working -= 1;
      // Preflights are counted, but not limited, so the end of a request doesn't always free a slot.
      const next = working < settings.maxInFlight ? overload.next() : undefined;
      if (next) start(next);
      connections.checkUnsent();
    }
  };
  const { portalUrl } = settings;
  const onWritten = () => connections.checkUnsent();
  const docsSite = portalUrl === null ? null : createDocsSite({ ...settings, portalUrl, fail, onWritten }, context);
  const isDocsHost = docsSite ? lazily(() => docsHostMatcher(settings.docsUrl())) : () => () => false;

  const start = (exchange: Exchange) => {
    if (exchange.unreadable) return invalidRequests.refuse(exchange, exchange.unreadable);
    const { req } = exchange;
    const { handler, path } = matchRoute(req, isDocsHost()(req));
    if (handler === "portal") return docsSite?.serve(exchange);
    if (working >= settings.maxInFlight && handler !== "preflight") return overload.hold(exchange);
    if (path === "/v1/geo" || path === "/") exchange.route = path;
    void serve(exchange, handler);
  };
  const end = (exchange: Exchange) => {
    docsSite?.end(exchange);
    // overload.ts counts and logs these.
    if (exchange.held !== null) return overload.end(exchange);
    const durationMs = performance.now() - exchange.startedMs;
    const { route, res, code, plan } = exchange;
    metrics.responded(route, res.statusCode, code ?? "ok", plan ?? "none", durationMs / 1000);
    if (route !== "unreadable") logRequest(exchange, durationMs);
  };
  const accept = (req: IncomingMessage, res: ServerResponse, unreadable: Unreadable | null) => {
    const exchange = openExchange(req, res);
    exchange.unreadable = unreadable;
    connections.accept(exchange);
  };
  const { server, setCertificate } = createPublicServer(SERVER_OPTIONS, settings.certificate, (req, res) => {
    toOriginForm(req);
    if (isLastPreflight(req)) res.shouldKeepAlive = false;
    accept(req, res, unreadableOf(req));
  });
  const { connections, invalidRequests } = protectServer(server, settings, {
    start,
    end,
    working: () => working + overload.held() + (docsSite?.working() ?? 0),
    onClosed: metrics.connectionClosed,
    docsUrl: settings.docsUrl,
    clock,
    accept,
    onRefused: () => metrics.responded("unreadable", 404, "not_found", "none", 0),
  });
  return { server, setCertificate, inFlight: () => working, drain: connections.drain };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
