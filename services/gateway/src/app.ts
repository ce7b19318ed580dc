import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Certificate } from "@geolookup/shared/runtime/tls/certificate.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { createOverload } from "./connections/overload.ts";
import { protectServer, SERVER_OPTIONS, type ServerLimits } from "./connections/protect-server.ts";
import { type LookupParts, type LookupSettings, lookup } from "./lookup.ts";
import { createMetrics, exposeReadings } from "./metrics.ts";
import { createDocsSite } from "./portal-proxy/docs-site.ts";
import {
  type Exchange,
  isOver,
  type NodeExchange,
  openExchange,
  type RequestHead,
  type ResponseWriter,
} from "./request/exchange.ts";
import { type AccessLog, createRequestLog } from "./request/request-log.ts";
import { toOriginForm, unreadableOf } from "./request/request-target.ts";
import { errorResponse } from "./responses/error-response.ts";
import { isLastPreflight, sendPreflight } from "./responses/headers.ts";
import type { Refusals } from "./responses/refusals.ts";
import { docsHostMatcher, matchRoute } from "./routes.ts";
import { createPublicServer, type PublicServer } from "./tls/public-server.ts";

export interface AppSettings extends LookupSettings, ServerLimits {
  /** Base address of the docs site. A function, because it may have the port, which isn't known yet. */
  docsUrl: () => string;
  /** The portal's address; null: none is running. */
  portalUrl: string | null;
  /** For connections to the portal. Null or absent: they have no TLS. */
  portalTls?: InternalTls | null;
  /** The header in which proxies name the operator they have signed in, and their networks. Absent: none does. */
  operatorHeader?: { name: string; from: string } | undefined;
  accessLog: AccessLog;
  /** For tests: half of the longest wait for a slot, in milliseconds. */
  overloadIntervalMs?: number;
  /** Null: plain HTTP. */
  certificate: Certificate | null;
}

export interface AppParts extends LookupParts {
  refusals: Pick<Refusals, "count">;
}

export interface App extends PublicServer {
  /** Requests in progress. */
  inFlight(): number;
  /** From now on the last pending response on each connection closes it, including responses to requests in progress. */
  drain(): void;
}

/**
 * The public HTTP server. The API doesn't use Express: docs/decisions/fast-path.md. In the order of the functions below, a
 * request is accepted, which connections.ts does when it is its turn, then routed, admitted and served, and sent.
 */
export function createApp(
  settings: AppSettings,
  parts: AppParts,
  context: { log: Logger; registry: Registry; clock: Clock },
): App {
  const { log, registry, clock } = context;
  const { portalUrl, docsUrl } = settings;
  const { server, setCertificate } = createPublicServer(SERVER_OPTIONS, settings.certificate);
  const metrics = createMetrics(registry);
  const logRequest = createRequestLog(log, settings.accessLog);
  const overload = createOverload(settings, context);
  const lookupParts = { ...parts, clock };

  const sendError = (exchange: Exchange, problem: Problem) => {
    const { status, headers, body } = errorResponse(problem, docsUrl(), clock());
    if (exchange.notice !== null) headers["X-Geolookup-Notice"] = exchange.notice;
    exchange.code = problem.code;
    exchange.res.writeHead(status, headers).end(body);
  };
  const fail = (exchange: Exchange, error: unknown) => {
    budgeted(log).error({ err: error }, "request failed");
    if (exchange.res.writableEnded) return;
    if (exchange.res.headersSent) exchange.res.destroy();
    else sendError(exchange, { code: "internal_error", reason: "fault" });
  };
  const docsSite = portalUrl === null ? null : createDocsSite({ ...settings, portalUrl, fail }, context);
  const isDocsHost = docsSite ? docsHostMatcher(docsUrl) : () => false;

  const accept = (req: IncomingMessage, res: ServerResponse): Exchange => {
    toOriginForm(req);
    if (isLastPreflight(req)) res.shouldKeepAlive = false;
    return openExchange(req, res, unreadableOf(req));
  };
  /** Pages are for Node. */
  const acceptFast = (req: RequestHead, res: ResponseWriter) => (isDocsHost(req) ? null : openExchange(req, res, null));
  const serve = async (exchange: Exchange) => {
    const { req, res } = exchange;
    const { handler, path } = matchRoute(req, isDocsHost(req));
    if (handler === "portal") return docsSite?.serve(exchange as NodeExchange);
    if (handler === "preflight") return sendPreflight(res);
    if (path === "/v1/geo" || path === "/") exchange.route = path;

    // Waits for a turn of microtasks at least: Node's parser emits a request before it reads the body that came with it. If that is
    // invalid, the request has been refused.
    if (!(await overload.admit(exchange))) return;
    try {
      if (isOver(exchange)) return;
      const problem: Problem | null =
        handler === "lookup"
          ? await lookup(lookupParts, settings, metrics, exchange)
          : { code: "not_found", method: req.method ?? "", path: req.url ?? "" };
      if (problem && !isOver(exchange)) sendError(exchange, problem);
    } catch (error) {
      fail(exchange, error);
    } finally {
      overload.release();
    }
  };
  const sent = (exchange: Exchange) => {
    overload.leave(exchange);
    const durationMs = performance.now() - exchange.startedMs;
    const { route, res, code, keyId, plan, isOverload } = exchange;
    metrics.responded(route, res.statusCode, code ?? "ok", plan ?? "none", durationMs / 1000);
    if (keyId !== null && code !== null) parts.refusals.count(keyId, code);
    if (route === "unreadable" || (isOverload && settings.accessLog !== "all")) return;
    logRequest(exchange, durationMs);
  };

  const { drain, unsent } = protectServer(server, settings, {
    ...{ accept, acceptFast, serve, sent, docsUrl, clock },
    onClosed: metrics.connectionClosed,
    onRefused: () => metrics.responded("unreadable", 404, "not_found", "none", 0),
  });
  const { inFlight, waiting } = overload;
  exposeReadings(registry, { inFlight, maxInFlight: settings.maxInFlight, waiting, unsent });
  return { server, setCertificate, inFlight, drain };
}
