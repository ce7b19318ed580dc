import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { type Exchange, isOver } from "../request/exchange.ts";
import { type AccessLog, createRequestLog } from "../request/request-log.ts";
import { errorResponse } from "../responses/error-response.ts";
import { headerLines, sendPrepared } from "../responses/send-prepared.ts";

/** A request that arrives in one interval is refused at the end of the next one. Callers that heed Retry-After wait five times as long. */
const INTERVAL_MS = 100;

/** Bounds requests that will be refused, however many connections there are (connections.ts). */
const MAX_REFUSED = 10_000;

export interface Overload {
  /** Takes a request beyond capacity: it starts when another one has ended, or is refused within 200 ms. */
  hold(exchange: Exchange): void;
  /** The request to start now that another one has ended: the one that has waited longest. */
  next(): Exchange | undefined;
  /** Held requests: those that wait, and refused ones whose responses aren't sent yet. */
  held(): number;
}

/** The requests that arrived within 100 ms, in order. */
interface Arrivals {
  waiting: Exchange[];
  /** How many of `waiting` have started. */
  started: number;
  refused: Exchange[];
}

/**
 * Holds requests beyond capacity. As many wait as may be in flight: over thousands of connections, a refusal costs about as much as a
 * lookup, so it is better to serve a request that gets the place of another one within 200 ms. The others are refused, with a response
 * that is built once and one log line in 10 s.
 *
 * Refusals are sent together, up to 200 ms late. Otherwise, callers that retry immediately would be refused many times while others are
 * served once. Immediate refusals would be worst: libuv reads about 49,000 requests before it ends a turn in which more keep
 * arriving, and meanwhile nothing is sent to geo, so no request in flight completes.
 */
export function createOverload(
  settings: { docsUrl: () => string; accessLog: AccessLog; maxInFlight: number },
  metrics: GatewayMetrics,
  { log, clock }: { log: Logger; clock: Clock },
): Overload {
  let previous = noArrivals();
  let current = noArrivals();
  let waiting = 0;
  let refused = 0;
  let response: { status: number; lines: string; body: string; encoding: "latin1" | "utf8" } | undefined;
  const logRequest = settings.accessLog === "all" ? createRequestLog(log, "all") : null;
  /** Whether the end of the current interval is scheduled, as while requests are held. */
  let isScheduled = false;

  const buildResponse = () => {
    const problem = { code: "internal_error", reason: "overload" } as const;
    const { status, headers, body } = errorResponse(problem, settings.docsUrl(), clock());
    const encoding = Buffer.byteLength(body) === body.length ? "latin1" : "utf8";
    return { status, lines: headerLines(headers), body, encoding } as const;
  };
  const refuse = (exchange: Exchange) => {
    response ??= buildResponse();
    const { status, lines, body, encoding } = response;
    exchange.code = "internal_error";
    if (!isOver(exchange)) sendPrepared(exchange.res, lines, body, encoding, status);
    const durationMs = performance.now() - exchange.startedMs;
    metrics.responded(exchange.route, status, exchange.code, "none", durationMs / 1000);
    budgeted(log).warn(
      { maxInFlight: settings.maxInFlight },
      "request refused: more requests in flight than MAX_IN_FLIGHT",
    );
    logRequest?.(exchange, durationMs);
  };
  const refuseArrivals = (arrivals: Arrivals) => {
    const stillWaiting = arrivals.waiting.slice(arrivals.started);
    waiting -= stillWaiting.length;
    refused -= arrivals.refused.length;
    for (const exchange of stillWaiting) refuse(exchange);
    for (const exchange of arrivals.refused) refuse(exchange);
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(endInterval, INTERVAL_MS);
    isScheduled = true;
  };
  const endInterval = () => {
    const ended = previous;
    previous = current;
    current = noArrivals();
    refuseArrivals(ended);
    isScheduled = false;
    // Requests contain addresses: none is kept here once it has started.
    if (waiting + refused === 0) previous = noArrivals();
    else schedule();
  };
  return {
    hold: (exchange) => {
      exchange.isHeld = true;
      if (waiting < settings.maxInFlight) {
        waiting += 1;
        current.waiting.push(exchange);
      } else {
        refused += 1;
        current.refused.push(exchange);
      }
      schedule();
      if (refused < MAX_REFUSED) return;
      for (const arrivals of [previous, current]) {
        refused -= arrivals.refused.length;
        for (const one of arrivals.refused.splice(0)) refuse(one);
      }
    },
    next: () => {
      for (const arrivals of [previous, current])
        while (arrivals.started < arrivals.waiting.length) {
          const exchange = arrivals.waiting[arrivals.started] as Exchange;
          arrivals.started += 1;
          waiting -= 1;
          if (isOver(exchange)) refuse(exchange);
          else {
            exchange.isHeld = false;
            return exchange;
          }
        }
      return undefined;
    },
    held: () => waiting + refused,
  };
}

function noArrivals(): Arrivals {
  return { waiting: [], started: 0, refused: [] };
}
