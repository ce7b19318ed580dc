import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { errorAnswer } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import type { GatewayMetrics } from "./metrics.ts";
import { type AccessLog, logRequest } from "./request-log.ts";

/** How often the log says at most how many requests were refused: a line for each would cost more than its answer. */
const LOG_INTERVAL_MS = 1_000;

/** How long a refusal waits for others at most. A caller who heeds it waits five times as long by itself. */
const HOLD_MS = 200;

/** So many are held at most, however many connections ask, each with as many requests as it may (pipelining.ts). */
const MOST_HELD = 10_000;

export interface Overload {
  /** Refuses a request for which there is no room, within 200 ms. */
  refuse(exchange: Exchange): void;
  /** Those that are refused and not yet answered. */
  held(): Iterable<Exchange>;
}

/**
 * What is beyond capacity gets one answer, made once (design, section 4), and one line of the log a second for all.
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
  let unsaid = 0;
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
  const say = () => {
    log.warn(
      { refused: unsaid, maxInFlight: settings.maxInFlight },
      "requests were refused: more came than may be answered at once (MAX_IN_FLIGHT)",
    );
    unsaid = 0;
  };
  const release = () => {
    const refused = held;
    held = [];
    if (holding) clearTimeout(holding);
    holding = null;
    answer ??= makeAnswer();
    const { status, headers, body } = answer;
    if (unsaid === 0) setTimeout(say, LOG_INTERVAL_MS).unref();
    unsaid += refused.length;
    for (const exchange of refused) {
      exchange.code = "internal_error";
      exchange.res.writeHead(status, headers).end(body);
      const durationMs = performance.now() - exchange.startedMs;
      metrics.answered(exchange.route, status, exchange.code, "none", durationMs / 1000);
      if (settings.accessLog === "all") logRequest(log, "all", exchange, durationMs);
    }
  };
  return {
    refuse: (exchange) => {
      held.push(exchange);
      if (held.length === MOST_HELD) release();
      else holding ??= setTimeout(release, HOLD_MS);
    },
    held: () => held,
  };
}
