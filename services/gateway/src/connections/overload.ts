import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { type Exchange, isOver } from "../request/exchange.ts";
import { errorAnswer } from "../request/responses.ts";
import { type AccessLog, createRequestLog } from "../request-log.ts";

/** How long a refusal waits for others at most. A caller who heeds it waits five times as long by itself. */
const HOLD_MS = 200;

/** So many are held at most, however many connections ask, each with as many requests as it may (connections.ts). */
const MOST_HELD = 10_000;

export interface Overload {
  /** Refuses a request for which there is no room, within 200 ms. */
  refuse(exchange: Exchange): void;
  /** Those that are refused and not yet answered. */
  held(): readonly Exchange[];
}

/**
 * What is beyond capacity gets one answer, made once (design, section 4), and one line of the log in 10 s for all.
 *
 * These answers leave together. A caller that is refused asks again, perhaps at once, and a refusal costs half of an
 * answer: without a pause a gateway refuses the same callers many times while it answers the others once. At once would
 * be worst: libuv reads some 49,000 requests before it lets go of a turn in which more keep coming, and meanwhile nothing
 * leaves for geo, so that nobody's answer makes room.
 */
export function createOverload(
  settings: { docsUrl: () => string; accessLog: AccessLog; maxInFlight: number },
  metrics: GatewayMetrics,
  { log, clock }: { log: Logger; clock: Clock },
): Overload {
  let held: Exchange[] = [];
  let answer: { status: number; headers: string[]; body: string } | undefined;
  const logRequest = settings.accessLog === "all" ? createRequestLog(log, "all") : null;
  /** Runs while any are held. */
  let holding: NodeJS.Timeout | null = null;

  const makeAnswer = () => {
    const { status, headers, body } = errorAnswer(
      { code: "internal_error", reason: "overload" },
      settings.docsUrl(),
      clock(),
    );
    return { status, headers: Object.entries(headers).flat(), body };
  };
  const release = () => {
    const refused = held;
    held = [];
    if (holding) clearTimeout(holding);
    holding = null;
    answer ??= makeAnswer();
    const { status, headers, body } = answer;
    for (const exchange of refused) {
      exchange.code = "internal_error";
      if (!isOver(exchange)) exchange.res.writeHead(status, headers).end(body);
      const durationMs = performance.now() - exchange.startedMs;
      metrics.answered(exchange.route, status, exchange.code, "none", durationMs / 1000);
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
      held.push(exchange);
      if (held.length === MOST_HELD) release();
      else holding ??= setTimeout(release, HOLD_MS);
    },
    held: () => held,
  };
}
