import type { IncomingMessage } from "node:http";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import express, { type ErrorRequestHandler, type Response } from "express";
import type { Registry } from "prom-client";
import { errorAnswer, sendPreflight } from "./answers.ts";
import { answerBelowHttp } from "./below-http.ts";
import { docsHostMatcher, docsProxy } from "./docs-proxy.ts";
import { type CallerNotes, type LookupParts, type LookupSettings, lookup } from "./lookup.ts";
import { createMetrics, type Route } from "./metrics.ts";
import { type AccessLog, logRequest } from "./request-log.ts";
import { hasOneHost, isOriginForm, toOriginForm } from "./request-target.ts";
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

/** The public HTTP server: everything a caller can see, in the order in which it is decided. */
export function createApp(
  settings: AppSettings,
  parts: LookupParts,
  context: { log: Logger; registry: Registry; clock: Clock },
): App {
  const { log, clock } = context;
  const inFlight = new Set<Response>();
  let draining = false;
  const metrics = createMetrics(context.registry, { inFlight: () => inFlight.size, maxInFlight: settings.maxInFlight });
  const mayLogFailure = createThrottle(clock, FAILURE_LOG_INTERVAL_MS);
  const isDocsHost = lazily(() => docsHostMatcher(settings.docsUrl()));

  const refuse = (res: Response, problem: Problem) => {
    const { status, headers, body } = errorAnswer(problem, settings.docsUrl(), clock());
    res.locals.code = problem.code;
    res.writeHead(status, headers).end(body);
  };

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.disable("query parser");
  app.enable("case sensitive routing");
  app.enable("strict routing");

  app.use((req, res, next) => {
    if (draining) askToClose(res);
    inFlight.add(res);
    observe(req, res);
    if (req.method === "OPTIONS") sendPreflight(res);
    else if (inFlight.size > settings.maxInFlight) refuse(res, { code: "internal_error", reason: "overload" });
    else if (!isOriginForm(req.url)) refuse(res, { code: "not_found", method: req.method, path: req.url });
    else next();
  });
  if (settings.portalUrl !== null) {
    const proxy = docsProxy(settings.portalUrl);
    app.use((req, res, next) => (isDocsHost()(req) ? proxy(req, res, next) : next()));
  }
  app.get(["/v1/geo", "/"], async (req, res) => {
    const notes: CallerNotes = {};
    res.locals.route = (req.path === "/" ? "/" : "/v1/geo") satisfies Route;
    res.locals.notes = notes;
    const problem = await lookup(parts, settings, metrics, req, res, notes);
    if (problem) refuse(res, problem);
  });
  app.use((req, res) => refuse(res, { code: "not_found", method: req.method, path: req.url }));
  app.use(((error, req, res, _next) => {
    if (error?.status === 400 && error instanceof URIError) {
      refuse(res, { code: "not_found", method: req.method, path: req.url });
      return;
    }
    if (mayLogFailure()) log.error({ err: error }, "a request failed; the next ones within 10 s are only counted");
    if (res.headersSent) res.destroy();
    else refuse(res, { code: "internal_error", reason: "fault" });
  }) satisfies ErrorRequestHandler);

  const observe = (req: IncomingMessage, res: Response) => {
    const startedAt = performance.now();
    res.once("close", () => {
      inFlight.delete(res);
      const { route = "other", code = null, notes = {} } = res.locals;
      const durationMs = performance.now() - startedAt;
      const { keyId = null, plan = null } = notes as CallerNotes;
      metrics.answered(route, res.statusCode, code ?? "ok", plan ?? "none", durationMs / 1000);
      const method = req.method ?? "";
      logRequest(log, settings.accessLog, { method, route, status: res.statusCode, code, durationMs, keyId, plan });
    });
  };

  const options = { requireHostHeader: false, keepAliveTimeout: 65_000 };
  const { server, setCertificate } = createPublicServer(options, settings.certificate, (req, res) => {
    if (!hasOneHost(req)) return belowHttp.refuse(res, "host");
    toOriginForm(req);
    app(req, res);
  });
  const belowHttp = answerBelowHttp(server, {
    docsUrl: settings.docsUrl,
    clock,
    refused: () => metrics.answered("unreadable", 404, "not_found", "none", 0),
  });
  return {
    server,
    setCertificate,
    inFlight: () => inFlight.size,
    drain: () => {
      draining = true;
      for (const res of inFlight) askToClose(res);
    },
  };
}

function askToClose(res: Response): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
