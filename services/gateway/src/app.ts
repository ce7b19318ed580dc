import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Problem, Unreadable } from "@geolookup/shared/domain/errors.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Registry } from "prom-client";
import { answerBelowHttp } from "./connections/below-http.ts";
import { limitConnections } from "./connections/connection-limits.ts";
import { createConnections } from "./connections/connections.ts";
import { createOverload } from "./connections/overload.ts";
import { ignoreUpgrades } from "./connections/upgrade.ts";
import { docsHostMatcher } from "./docs/docs-host.ts";
import { createDocsSite } from "./docs/docs-site.ts";
import { type LookupParts, type LookupSettings, lookup } from "./lookup.ts";
import { createMetrics } from "./metrics.ts";
import type { TrustProxy } from "./request/client-address.ts";
import { type Exchange, isOver, openExchange } from "./request/exchange.ts";
import { isOriginForm, operationOf, toOriginForm, unreadableOf } from "./request/request-target.ts";
import { errorAnswer, sendPreflight } from "./request/responses.ts";
import { type AccessLog, createRequestLog } from "./request-log.ts";
import type { Certificate } from "./tls/certificate.ts";
import { createPublicServer, type PublicServer } from "./tls/public-server.ts";

export interface AppSettings extends LookupSettings {
  /** Base address of the docs site; known only once the port is, hence a function. */
  docsUrl: () => string;
  /** Where the portal listens, or null when no portal runs. */
  portalUrl: string | null;
  accessLog: AccessLog;
  /** Requests answered at once; more are refused early. */
  maxInFlight: number;
  /** Connections that may be open at once; more are closed. */
  maxConnections: number;
  ipv6LimitPrefix: number;
  trusts: TrustProxy;
  /** What is served over TLS; null: plain HTTP. */
  certificate: Certificate | null;
  /** For tests: milliseconds between two checks whether callers read what is sent to them. */
  checkIntervalMs?: number;
}

export interface App extends PublicServer {
  /** Requests being worked on. */
  inFlight(): number;
  /** From now on the newest response on each connection closes it, including those to requests in progress. */
  drain(): void;
}

const SERVER_OPTIONS = {
  requireHostHeader: false,
  keepAliveTimeout: 65_000,
  /** Timeouts for a request's headers, and for the whole request. Bodies are read and dropped. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * The public HTTP server: everything a caller can see, in the order in which it is decided. The API doesn't use
 * Express: docs/decisions/bypassing-express.md.
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
    unsent: () => connections.unsent(),
  });
  const overload = createOverload(settings, metrics, context);
  const logRequest = createRequestLog(log, settings.accessLog);
  const docsHost = lazily(() => docsHostMatcher(settings.docsUrl()));
  /** Preflights and targets that aren't a path get the same response on every host. */
  const isForDocs = (req: IncomingMessage) =>
    docsHost()(req) && req.method !== "OPTIONS" && isOriginForm(req.url ?? "");

  const refuse = (exchange: Exchange, problem: Problem) => {
    const { status, headers, body } = errorAnswer(problem, settings.docsUrl(), clock());
    exchange.code = problem.code;
    exchange.res.writeHead(status, headers).end(body);
  };
  const fail = (exchange: Exchange, error: unknown) => {
    budgeted(log).error({ err: error }, "request failed");
    if (exchange.res.writableEnded) return;
    if (exchange.res.headersSent) exchange.res.destroy();
    else refuse(exchange, { code: "internal_error", reason: "fault" });
  };
  /** @returns the problem to answer with; null when the response is sent. */
  const serve = (exchange: Exchange): Problem | null | Promise<Problem | null> => {
    const { req, res } = exchange;
    if (req.method === "OPTIONS") {
      sendPreflight(res);
      return null;
    }
    if (!isOriginForm(req.url ?? "")) return noEndpoint(req);
    const operation = operationOf(req);
    if (operation === null) return noEndpoint(req);
    exchange.route = operation;
    return lookup(parts, settings, metrics, exchange);
  };
  const answer = async (exchange: Exchange) => {
    working += 1;
    try {
      const problem = await serve(exchange);
      if (problem && !isOver(exchange)) refuse(exchange, problem);
    } catch (error) {
      fail(exchange, error);
    } finally {
      working -= 1;
      connections.checkUnsent();
    }
  };
  const docsSite =
    settings.portalUrl === null
      ? null
      : createDocsSite(
          { ...settings, portalUrl: settings.portalUrl, fail, onWritten: () => connections.checkUnsent() },
          context,
        );
  const start = (exchange: Exchange) => {
    if (exchange.unreadable) belowHttp.refuse(exchange, exchange.unreadable);
    else if (docsSite && isForDocs(exchange.req)) docsSite.serve(exchange);
    else if (working >= settings.maxInFlight && exchange.req.method !== "OPTIONS") overload.refuse(exchange);
    else void answer(exchange);
  };
  const end = (exchange: Exchange) => {
    docsSite?.end(exchange);
    // overload.ts counts and logs these.
    if (exchange.isRefusedEarly) return;
    const durationMs = performance.now() - exchange.startedMs;
    const { route, res, code, plan } = exchange;
    metrics.answered(route, res.statusCode, code ?? "ok", plan ?? "none", durationMs / 1000);
    if (route !== "unreadable") logRequest(exchange, durationMs);
  };
  const connections = createConnections({
    start,
    end,
    working: () => working + overload.held().length + (docsSite?.working() ?? 0),
    maxInFlight: settings.maxInFlight,
    onClosed: metrics.connectionClosed,
    checkIntervalMs: settings.checkIntervalMs,
  });

  const accept = (req: IncomingMessage, res: ServerResponse, unreadable: Unreadable | null) => {
    const exchange = openExchange(req, res);
    exchange.unreadable = unreadable;
    connections.accept(exchange);
  };
  const { server, setCertificate } = createPublicServer(SERVER_OPTIONS, settings.certificate, (req, res) => {
    toOriginForm(req);
    accept(req, res, unreadableOf(req));
  });
  limitConnections(server, {
    maxConnections: settings.maxConnections,
    ipv6Prefix: settings.ipv6LimitPrefix,
    trusts: settings.trusts,
    onClosed: metrics.connectionClosed,
  });
  const belowHttp = answerBelowHttp(server, connections, {
    docsUrl: settings.docsUrl,
    clock,
    accept,
    onRefused: () => metrics.answered("unreadable", 404, "not_found", "none", 0),
  });
  ignoreUpgrades(server, connections);
  server.once("close", connections.close);
  return { server, setCertificate, inFlight: () => working, drain: connections.drain };
}

function noEndpoint({ method = "", url: path = "" }: IncomingMessage): Problem {
  return { code: "not_found", method, path };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
