import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { EDGE_ERROR_STATUS, type EdgeProblem, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { protectServer, SERVER_OPTIONS, type ServerLimits } from "../connections/protect-server.ts";
import { createTurnBatch } from "../connections/turn-batch.ts";
import { askToClose, type Exchange, isOver, openExchange, type RequestHead } from "../request/exchange.ts";
import { unreadableOf } from "../request/request-target.ts";
import type { EdgeDecide } from "./edge-decision.ts";
import type { EdgeMetrics } from "./edge-metrics.ts";

/** Beyond `maxInFlight` lookups at once, requests get an unknown place. */
export interface EdgeSettings extends ServerLimits {
  /** How long proxies may cache a response; null: not at all. */
  cacheSeconds: number | null;
  docsUrl: () => string;
  /** The caller's address, canonical. */
  addressOf: (req: RequestHead) => string;
}

/** Proxies pass on their visitors' headers, of which Go's (Caddy, Traefik) accept 1 MB, and add some. */
const MAX_HEADER_BYTES = 2 * 1024 * 1024;

/** Bodies up to this size are read and dropped. The response to a request with a longer one closes its connection. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * The server that tells proxies where their visitors are: any request gets the headers of its caller's place
 * (docs/proxies). It counts against no key and no limit.
 */
export function createEdgeServer(
  settings: EdgeSettings,
  { decide, metrics }: { decide: EdgeDecide; metrics: EdgeMetrics },
  { log, clock }: { log: Logger; clock: Clock },
): { server: Server; drain(): void } {
  const responses = createEdgeResponses(settings.cacheSeconds, settings.docsUrl);
  const batch = createTurnBatch();
  let working = 0;

  const serve = async (exchange: Exchange) => {
    working += 1;
    try {
      const { req } = exchange;
      const decision = await decide({
        token: req.headers["x-edge-token"],
        ip: () => settings.addressOf(req),
        isOverload: working > settings.maxInFlight,
      });
      const { problem, reason } = decision;
      await batch.join();
      metrics.responded(problem?.code ?? "ok", reason);
      if (isOver(exchange)) return;
      if (problem === null) {
        exchange.res.writeHead(200, [...responses.ofPlace, ...decision.headers]).end();
        return;
      }
      const { status, headers, body } = responses.problem(problem);
      exchange.res.writeHead(status, headers).end(body);
    } catch (error) {
      budgeted(log).error({ err: error }, "edge request failed");
      metrics.responded("internal_error", "none");
      if (!isOver(exchange)) exchange.res.writeHead(500, ["Cache-Control", "no-store", "Content-Length", "0"]).end();
    } finally {
      working -= 1;
    }
  };
  const accept = (req: IncomingMessage, res: ServerResponse) => {
    const unreadable = unreadableOf(req);
    // Bodies are dropped anyway, so one that was announced needn't be sent. A visitor's many headers must not cost the location.
    const isTolerated = unreadable === "expectation" || unreadable === "too_many_headers";
    const exchange = openExchange(req, res, isTolerated ? null : unreadable);
    if (hasLongBody(req)) askToClose(exchange);
    return exchange;
  };
  const server = createServer({ ...SERVER_OPTIONS, maxHeaderSize: MAX_HEADER_BYTES });
  const { drain } = protectServer(server, settings, {
    accept,
    acceptFast: (req, res) => openExchange(req, res, null),
    serve,
    sent: ({ route }) => {
      if (route === "unreadable") metrics.responded("unreadable", "none");
    },
    onClosed: metrics.connectionClosed,
    onRefused: () => metrics.responded("unreadable", "none"),
    docsUrl: settings.docsUrl,
    clock,
  });
  return { server, drain };
}

function hasLongBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES;
}

/** A response that tells why a request is refused. */
interface EdgeRefusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What the edge port responds with over HTTP. */
export interface EdgeResponses {
  /** Headers of every response with a place, names and values in turn. */
  ofPlace: readonly string[];
  problem(problem: EdgeProblem): EdgeRefusal;
}

export function createEdgeResponses(cacheSeconds: number | null, docsUrl: () => string): EdgeResponses {
  return {
    ofPlace: Object.entries({ "Content-Length": "0", ...cachingHeaders(cacheSeconds) }).flat(),
    problem: (problem) => {
      const body = JSON.stringify(edgeErrorBody(problem, docsUrl()));
      const length = String(Buffer.byteLength(body));
      const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": length, ...NO_STORE };
      return { status: EDGE_ERROR_STATUS[problem.code], headers, body };
    },
  };
}

const NO_STORE = { "Cache-Control": "no-store" };

/** A response is about the address in X-Forwarded-For: a cache that keeps it for others would mix up visitors. */
function cachingHeaders(seconds: number | null): Record<string, string> {
  return seconds === null ? NO_STORE : { "Cache-Control": `max-age=${seconds}`, Vary: "X-Forwarded-For" };
}
