import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Exchange, isOver } from "../request/exchange.ts";
import { errorResponse } from "../responses/error-response.ts";

/** A request is refused at the end of the interval after the one in which it arrived: 100 to 200 ms later. */
const INTERVAL_MS = 100;

/** Bounds requests that will be refused, however many connections there are (connections.ts). */
const MAX_EXCESS = 10_000;

export interface Overload {
  /**
   * Gives a request a slot, for which it may have to wait.
   * @returns whether it has one. If not, its response was sent, or its client has gone.
   */
  admit(exchange: Exchange): boolean | Promise<boolean>;
  /** Call when a request that had a slot ends: the one that has waited longest gets it. */
  release(): void;
  /** Call when a request's connection has closed: then it no longer waits. */
  leave(exchange: Exchange): void;
  /** Requests that have a slot. */
  inFlight(): number;
  /** Requests that wait for one. */
  waiting(): number;
}

interface Held {
  resolve: (hasSlot: boolean) => void;
  /** The number of the interval in which it arrived. */
  interval: number;
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
  settings: { docsUrl: () => string; maxInFlight: number; overloadIntervalMs?: number },
  { log, clock }: { log: Logger; clock: Clock },
): Overload {
  const intervalMs = settings.overloadIntervalMs ?? INTERVAL_MS;
  let inFlight = 0;
  /** Both in the order of arrival. */
  const waiting = new Map<Exchange, Held>();
  const excess = new Map<Exchange, Held>();
  let interval = 0;
  /** While requests are held. */
  let isScheduled = false;
  let response: ReturnType<typeof errorResponse> | undefined;

  const refuse = (exchange: Exchange, held: Held) => {
    waiting.delete(exchange);
    excess.delete(exchange);
    response ??= errorResponse({ code: "internal_error", reason: "overload" }, settings.docsUrl(), clock());
    const { status, headers, body } = response;
    exchange.code = "internal_error";
    exchange.isOverload = true;
    if (isOver(exchange)) exchange.res.statusCode = status;
    else exchange.res.writeHead(status, headers).end(body);
    budgeted(log).warn(
      { maxInFlight: settings.maxInFlight },
      "request refused: more requests in flight than MAX_IN_FLIGHT",
    );
    held.resolve(false);
  };
  const endInterval = () => {
    interval += 1;
    for (const all of [waiting, excess])
      for (const [exchange, held] of all) {
        if (interval - held.interval < 2) break;
        refuse(exchange, held);
      }
    isScheduled = false;
    if (waiting.size + excess.size > 0) schedule();
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(endInterval, intervalMs);
    isScheduled = true;
  };
  return {
    admit: (exchange) => {
      if (inFlight < settings.maxInFlight) {
        inFlight += 1;
        return true;
      }
      return new Promise((resolve) => {
        const all = waiting.size < settings.maxInFlight ? waiting : excess;
        all.set(exchange, { resolve, interval });
        schedule();
        if (excess.size >= MAX_EXCESS) for (const [one, held] of excess) refuse(one, held);
      });
    },
    release: () => {
      inFlight -= 1;
      const [next] = waiting;
      if (!next) return;
      const [exchange, { resolve }] = next;
      waiting.delete(exchange);
      inFlight += 1;
      resolve(true);
    },
    leave: (exchange) => {
      const held = waiting.get(exchange) ?? excess.get(exchange);
      if (held) refuse(exchange, held);
    },
    inFlight: () => inFlight,
    waiting: () => waiting.size,
  };
}
