import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { type Exchange, isOver } from "../request/exchange.ts";
import { type AccessLog, createRequestLog } from "../request/request-log.ts";
import { errorResponse } from "../responses/error-response.ts";
import { headerLines, sendPrepared } from "../responses/send-prepared.ts";

/** How long a refusal is delayed. Callers that heed Retry-After wait five times as long. */
const DELAY_MS = 200;

/** Bounds delayed refusals, however many connections there are (connections.ts). */
const MAX_PENDING = 10_000;

export interface Overload {
  /** Refuses a request for lack of capacity, within 200 ms. */
  refuse(exchange: Exchange): void;
  /** Refused requests whose responses aren't sent yet. */
  pending(): readonly Exchange[];
}

/**
 * Refuses requests beyond capacity, with a response that is built once and one log line in 10 s.
 *
 * Refusals are delayed and sent together. A refusal costs half as much as a lookup, so callers that retry immediately would
 * be refused many times while others are served once. Immediate refusals would be worst: libuv reads about 49,000 requests
 * before it ends a turn in which more keep arriving, and meanwhile nothing is sent to geo, so no request in flight completes.
 */
export function createOverload(
  settings: { docsUrl: () => string; accessLog: AccessLog; maxInFlight: number },
  metrics: GatewayMetrics,
  { log, clock }: { log: Logger; clock: Clock },
): Overload {
  let pending: Exchange[] = [];
  let response: { status: number; lines: string; body: string; encoding: "latin1" | "utf8" } | undefined;
  const logRequest = settings.accessLog === "all" ? createRequestLog(log, "all") : null;
  /** Runs while refusals are pending. */
  let timer: NodeJS.Timeout | null = null;

  const buildResponse = () => {
    const problem = { code: "internal_error", reason: "overload" } as const;
    const { status, headers, body } = errorResponse(problem, settings.docsUrl(), clock());
    const encoding = Buffer.byteLength(body) === body.length ? "latin1" : "utf8";
    return { status, lines: headerLines(headers), body, encoding } as const;
  };
  const sendPending = () => {
    const refused = pending;
    pending = [];
    if (timer) clearTimeout(timer);
    timer = null;
    response ??= buildResponse();
    const { status, lines, body, encoding } = response;
    for (const exchange of refused) {
      exchange.code = "internal_error";
      if (!isOver(exchange)) sendPrepared(exchange.res, lines, body, encoding, status);
      const durationMs = performance.now() - exchange.startedMs;
      metrics.responded(exchange.route, status, exchange.code, "none", durationMs / 1000);
      budgeted(log).warn(
        { maxInFlight: settings.maxInFlight },
        "request refused: more requests in flight than MAX_IN_FLIGHT",
      );
      logRequest?.(exchange, durationMs);
    }
  };
  return {
    refuse: (exchange) => {
      exchange.isRefusedEarly = true;
      pending.push(exchange);
      if (pending.length === MAX_PENDING) sendPending();
      else timer ??= setTimeout(sendPending, DELAY_MS);
    },
    pending: () => pending,
  };
}
