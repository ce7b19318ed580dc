import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { type Exchange, isOver } from "../request/exchange.ts";
import { type AccessLog, createRequestLog } from "../request/request-log.ts";
import { errorResponse } from "../responses/error-response.ts";

/** A request is refused at the end of the interval after the one in which it arrived: 100 to 200 ms later. */
const INTERVAL_MS = 100;

/** Bounds requests that will be refused, however many connections there are (connections.ts). */
const MAX_EXCESS = 10_000;

export interface Overload {
  /** Takes a request for which there is no slot: it waits for one, or is refused about 200 ms later. */
  hold(exchange: Exchange): void;
  /** Call when a held request's response was sent, or its client has gone: then it no longer waits. */
  end(exchange: Exchange): void;
  /** The request to start now that a slot is free: the one that has waited longest. */
  next(): Exchange | undefined;
  /** Requests that wait for a slot. */
  waiting(): number;
  /** These, and the ones that will be refused. */
  held(): number;
}

/** The requests that arrived within 100 ms, in order. */
interface Arrivals {
  waiting: Exchange[];
  /** How many of `waiting` have started. */
  started: number;
  excess: Exchange[];
}

/**
 * Holds requests beyond capacity. As many wait as may be in flight: over thousands of connections, a refusal costs about as much as a
 * lookup, so it is better to serve a request that gets a slot within about 200 ms. The others are refused, with a response that is
 * built once and one log line in 10 s.
 *
 * Refusals are sent together, up to 200 ms late. Otherwise, callers that retry immediately would be refused many times while others are
 * served once.
 */
export function createOverload(
  settings: { docsUrl: () => string; accessLog: AccessLog; maxInFlight: number; overloadIntervalMs?: number },
  metrics: GatewayMetrics,
  { log, clock }: { log: Logger; clock: Clock },
): Overload {
  const intervalMs = settings.overloadIntervalMs ?? INTERVAL_MS;
  let previous = noArrivals();
  let current = noArrivals();
  let waiting = 0;
  let excess = 0;
  let response: ReturnType<typeof errorResponse> | undefined;
  const logRequest = settings.accessLog === "all" ? createRequestLog(log, "all") : null;
  /** Whether the end of the current interval is scheduled, as while requests are held. */
  let isScheduled = false;

  const refuse = (exchange: Exchange) => {
    if (exchange.held === "waiting") waiting -= 1;
    else excess -= 1;
    exchange.held = "refused";
    response ??= errorResponse({ code: "internal_error", reason: "overload" }, settings.docsUrl(), clock());
    const { status, headers, body } = response;
    exchange.code = "internal_error";
    if (!isOver(exchange)) exchange.res.writeHead(status, headers).end(body);
    const durationMs = performance.now() - exchange.startedMs;
    metrics.responded(exchange.route, status, exchange.code, "none", durationMs / 1000);
    budgeted(log).warn(
      { maxInFlight: settings.maxInFlight },
      "request refused: more requests in flight than MAX_IN_FLIGHT",
    );
    logRequest?.(exchange, durationMs);
  };
  const refuseIfHeld = (exchange: Exchange) => {
    if (exchange.held === "waiting" || exchange.held === "excess") refuse(exchange);
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(endInterval, intervalMs);
    isScheduled = true;
  };
  const endInterval = () => {
    const ended = previous;
    previous = current;
    current = noArrivals();
    for (const exchange of [...ended.waiting, ...ended.excess]) refuseIfHeld(exchange);
    isScheduled = false;
    // Arrivals contain addresses, also of requests that have started. While there are more, they are kept for 200 ms.
    if (waiting + excess === 0) previous = noArrivals();
    else schedule();
  };
  return {
    hold: (exchange) => {
      if (waiting < settings.maxInFlight) {
        waiting += 1;
        exchange.held = "waiting";
        current.waiting.push(exchange);
      } else {
        excess += 1;
        exchange.held = "excess";
        current.excess.push(exchange);
      }
      schedule();
      if (excess < MAX_EXCESS) return;
      for (const arrivals of [previous, current]) for (const one of arrivals.excess.splice(0)) refuseIfHeld(one);
    },
    end: refuseIfHeld,
    next: () => {
      if (waiting === 0) return undefined;
      for (const arrivals of [previous, current])
        while (arrivals.started < arrivals.waiting.length) {
          const exchange = arrivals.waiting[arrivals.started] as Exchange;
          arrivals.started += 1;
          if (isOver(exchange)) refuseIfHeld(exchange);
          if (exchange.held !== "waiting") continue;
          waiting -= 1;
          exchange.held = null;
          return exchange;
        }
      return undefined;
    },
    waiting: () => waiting,
    held: () => waiting + excess,
  };
}

function noArrivals(): Arrivals {
  return { waiting: [], started: 0, excess: [] };
}
