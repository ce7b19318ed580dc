import type { IncomingMessage } from "node:http";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import type { Registry } from "prom-client";
import { errorAnswer, sendPreflight } from "./answers.ts";
import { answerBelowHttp } from "./below-http.ts";
import { docsHostMatcher } from "./docs-proxy.ts";
import { askToClose, type Exchange, openExchange } from "./exchange.ts";
import { createInFlight } from "./in-flight.ts";
import { type LookupParts, type LookupSettings, lookup } from "./lookup.ts";
import { createMetrics } from "./metrics.ts";
import { createOverload } from "./overload.ts";
import { limitPipelining } from "./pipelining.ts";
import { type AccessLog, logRequest } from "./request-log.ts";
import { hasOneHost, isOriginForm, operationOf, toOriginForm } from "./request-target.ts";
import { createRouter } from "./router.ts";
import type { Certificate } from "./tls/certificate.ts";
import { createPublicServer, type PublicServer } from "./tls/public-server.ts";
import { createThrottle } from "./usage/throttle.ts";

export interface AppSettings extends LookupSettings {
  /** Base address of the docs site; known only once the port is, hence a function. */
  docsUrl: () => string;
  /** Where the portal listens, or null when no portal runs. */
  portalUrl: string | null;
  accessLog: AccessLog;
  /** Requests answered at once; more are refused early. */
  maxInFlight: number;
  /** What is served over TLS; null: plain HTTP. */
  certificate: Certificate | null;
}

export interface App extends PublicServer {
  inFlight(): number;
  /** From now on every answer asks its connection to close, those to requests under way too. */
  drain(): void;
}

/** With auth down every keyed request fails alike: its cause is logged this often. */
const FAILURE_LOG_INTERVAL_MS = 10_000;

/**
 * The public HTTP server: everything a caller can see, in the order in which it is decided. The operation is
 * answered before Express' router: docs/decisions/operation-before-express.md.
 */
export function createApp(
  settings: AppSettings,
  parts: LookupParts,
  context: { log: Logger; registry: Registry; clock: Clock },
): App {
  const { log, clock } = context;
  const inFlight = createInFlight();
  let draining = false;
  const metrics = createMetrics(context.registry, { inFlight: inFlight.size, maxInFlight: settings.maxInFlight });
  const overload = createOverload(settings, metrics, context);
  const mayLogFailure = createThrottle(clock, FAILURE_LOG_INTERVAL_MS);
  const docsHost = lazily(() => docsHostMatcher(settings.docsUrl()));
  const isForDocs = (req: IncomingMessage) => settings.portalUrl !== null && docsHost()(req);

  const refuse = (exchange: Exchange, problem: Problem) => {
    const { status, headers, body } = errorAnswer(problem, settings.docsUrl(), clock());
    exchange.code = problem.code;
    exchange.res.writeHead(status, headers).end(body);
  };
  const fail = (exchange: Exchange, error: unknown) => {
    if (mayLogFailure()) log.error({ err: error }, "a request failed; the next ones within 10 s are only counted");
    if (exchange.res.headersSent) exchange.res.destroy();
    else refuse(exchange, { code: "internal_error", reason: isForDocs(exchange.req) ? "docs" : "fault" });
  };
  const route = createRouter({
    portalUrl: settings.portalUrl,
    isForDocs,
    refuse: (exchange) => refuse(exchange, noEndpoint(exchange.req)),
    fail,
  });
  /** @returns the problem to answer with; null when the answer is sent, or Express' router sees to it. */
  const serve = (exchange: Exchange): Problem | null | Promise<Problem | null> => {
    const { req, res } = exchange;
    if (req.method === "OPTIONS") {
      sendPreflight(res);
      return null;
    }
    if (!isOriginForm(req.url ?? "")) return noEndpoint(req);
    const operation = operationOf(req);
    if (operation === null || isForDocs(req)) {
      route(exchange);
      return null;
    }
    exchange.route = operation;
    return lookup(parts, settings, metrics, exchange);
  };
  const answer = async (exchange: Exchange) => {
    try {
      const problem = await serve(exchange);
      if (problem) refuse(exchange, problem);
    } catch (error) {
      fail(exchange, error);
    }
  };
  const observe = (exchange: Exchange) => {
    inFlight.add(exchange);
    exchange.res.once("close", () => {
      inFlight.delete(exchange);
      const durationMs = performance.now() - exchange.startedMs;
      const { route, res, code, plan } = exchange;
      metrics.answered(route, res.statusCode, code ?? "ok", plan ?? "none", durationMs / 1000);
      logRequest(log, settings.accessLog, exchange, durationMs);
    });
  };

  const mayAnswer = limitPipelining();
  const options = { requireHostHeader: false, keepAliveTimeout: 65_000 };
  const { server, setCertificate } = createPublicServer(options, settings.certificate, (req, res) => {
    if (!mayAnswer(req, res)) return;
    if (!hasOneHost(req)) return belowHttp.refuse(res, "host");
    toOriginForm(req);
    const exchange = openExchange(req, res);
    if (draining) askToClose(exchange);
    if (inFlight.size() >= settings.maxInFlight && req.method !== "OPTIONS") return overload.refuse(exchange);
    observe(exchange);
    void answer(exchange);
  });
  const belowHttp = answerBelowHttp(server, {
    docsUrl: settings.docsUrl,
    clock,
    refused: () => metrics.answered("unreadable", 404, "not_found", "none", 0),
  });
  return {
    server,
    setCertificate,
    inFlight: inFlight.size,
    drain: () => {
      draining = true;
      for (const exchange of [...inFlight.all(), ...overload.held()]) askToClose(exchange);
    },
  };
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
