import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "prom-client";
import { createGathering } from "../upstream/batch-timing.ts";
import { createCallerNames } from "./caller.ts";
import { startDeadline } from "./deadline.ts";
import type { HourlyDecision, HourlyLimit } from "./hourly-limit.ts";
import { createRedisMetrics, type DecisionSource } from "./hourly-metrics.ts";
import type { RedisAccess } from "./redis-access.ts";
import { reasonOf } from "./redis-link.ts";
import { CALLER_PREFIX } from "./redis-scripts.ts";
import { ANSWER_TIMEOUT_MS, NO_ANSWER, openSharedCounts } from "./shared-counts.ts";
import { decideGranted, usedIn } from "./window.ts";

/** Callers asked about in one script: far from holding Redis for long. */
const ASKED_AT_ONCE = 200;

/** The waiting requests by caller, with the caller's limit. If a plan has just changed, the first request's limit applies. */
type Waiting = Map<string, { limit: number; resolves: ((decided: HourlyDecision) => void)[] }>;

/**
 * The limits shared by all gateways through Redis (design, sections 5 and 7; docs/decisions/redis-hourly-limit.md).
 * Redis knows callers by an HMAC only. A caller over its limit is refused without asking Redis; the others that ask
 * within a millisecond share one script. When Redis fails or takes longer than 50 ms, this gateway decides by
 * what it knows: its own counts and what it heard of the others'.
 * Resolves when Redis has answered, or after a second without: a gateway starts whether Redis is there or not.
 * @param options.secret IP_HASH_SECRET, the same for all gateways.
 * @param options.limit of requests without a key.
 * @throws StartError when the URL is none.
 */
export async function openRedisHourlyLimit(options: {
  access: RedisAccess;
  secret: string;
  limit: number;
  ipv6Prefix: number;
  clock: Clock;
  log: Logger;
  registry: Registry;
}): Promise<HourlyLimit & { close(): Promise<void> }> {
  const nameOf = createCallerNames(options.secret, options.ipv6Prefix);
  const counts = await openSharedCounts(options);
  const { mirror, breaker, nowMs } = counts;
  const metrics = createRedisMetrics(options.registry, breaker.isOpen);
  let gathered: Waiting = new Map();

  const decideHere = (caller: string, limit: number, source: DecisionSource) => {
    const decided = mirror.take(caller, limit, nowMs());
    metrics.decided(source, decided.admitted);
    return decided;
  };

  const ask = async (waiting: Waiting) => {
    let decided = false;
    const decideAllHere = (reason: string) => {
      decided = true;
      breaker.failed(reason);
      for (const [caller, { limit, resolves }] of waiting)
        for (const resolve of resolves) resolve(decideHere(caller, limit, "local"));
    };
    const met = startDeadline(ANSWER_TIMEOUT_MS, () => {
      metrics.timedOut();
      decideAllHere(NO_ANSWER);
    });
    try {
      const startMs = performance.now();
      const asks = Array.from(waiting, ([caller, { limit, resolves }]) => ({
        caller,
        window: mirror.find(caller, nowMs()),
        count: resolves.length,
        limit,
      }));
      const answer = await counts.take(asks, () => !decided);
      metrics.answered(performance.now() - startMs);
      if (!answer) return;
      if (!decided) breaker.succeeded();
      for (const [index, { caller, limit }] of asks.entries()) {
        const grant = answer.grants[index];
        if (!grant) throw new Error("Redis answered for fewer callers than were asked about");
        if (decided) {
          // Too late to decide by, but not to learn from: what was decided here and what Redis granted is one count.
          mirror.hear(caller, grant.window, answer.nowMs);
          continue;
        }
        const resolves = waiting.get(caller)?.resolves ?? [];
        const { window, decisions } = decideGranted(
          mirror.find(caller, answer.nowMs),
          grant,
          resolves.length,
          limit,
          answer.nowMs,
        );
        mirror.put(caller, window, answer.nowMs);
        decisions.forEach((one, waiter) => {
          metrics.decided("redis", one.admitted);
          resolves[waiter]?.(one);
        });
      }
      decided = true;
    } catch (error) {
      if (!decided) decideAllHere(reasonOf(error));
    } finally {
      met();
    }
  };

  const gathering = createGathering(() => {
    const waiting = gathered;
    gathered = new Map();
    void ask(waiting);
  });

  return {
    limit: options.limit,
    take(ip, key) {
      const limit = key ? key.limit : options.limit;
      const caller = CALLER_PREFIX + nameOf(ip, key?.keyId);
      const window = mirror.find(caller, nowMs());
      if ((window ? usedIn(window) : 0) >= limit) return decideHere(caller, limit, "mirror");
      if (breaker.isOpen()) return decideHere(caller, limit, "local");
      return new Promise((resolve) => {
        const same = gathered.get(caller);
        if (same) {
          same.resolves.push(resolve);
          return;
        }
        gathered.set(caller, { limit, resolves: [resolve] });
        if (gathered.size === ASKED_AT_ONCE) gathering.end();
        else if (gathered.size === 1) gathering.begin();
      });
    },
    close: counts.close,
  };
}
