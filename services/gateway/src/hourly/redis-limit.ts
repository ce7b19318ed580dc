import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "@prometheus-io/client";
import { createBatchTimer } from "../upstream/batch-timer.ts";
import { createCallerNames } from "./caller.ts";
import type { HourlyDecision, HourlyLimit } from "./hourly-limit.ts";
import { createRedisMetrics, type DecisionSource } from "./hourly-metrics.ts";
import type { RedisAccess } from "./redis-access.ts";
import { reasonOf } from "./redis-connection.ts";
import { openRedisCounts } from "./redis-counts.ts";
import { decideWithStore, type HourWindow, type StoreDecision, usedIn } from "./window.ts";

/** Callers per script, so that no script blocks Redis for long. */
const MAX_BATCH_CALLERS = 200;

/** Pending requests by caller, with the limit of the first one, and the caller's hour if it was known then. */
type Batch = Map<
  string,
  { limit: number; window: HourWindow | undefined; resolves: ((decided: HourlyDecision) => void)[] }
>;

/**
 * The limits shared by all gateways through Redis (docs/decisions/redis-hourly-limit.md). Redis
 * gets HMACs instead of addresses. A caller over its limit is refused without asking Redis; requests of other callers within
 * a millisecond share one script. If Redis fails or takes longer than 50 ms, this gateway falls back to its own counts and those that it
 * has received from other gateways.
 * Resolves when `openRedisCounts` does.
 * @param options.secret IP_HASH_SECRET, the same for all gateways.
 * @param options.limit keyless requests per hour.
 * @param options.responseTimeoutMs for tests.
 * @throws StartError if the URL is invalid.
 */
export async function openRedisHourlyLimit(options: {
  access: RedisAccess;
  secret: string;
  limit: number;
  ipv6Prefix: number;
  clock: Clock;
  log: Logger;
  registry: Registry;
  responseTimeoutMs?: number;
}): Promise<HourlyLimit & AsyncDisposable> {
  const nameOf = createCallerNames(options.secret, options.ipv6Prefix);
  const counts = await openRedisCounts(options);
  const { mirror, breaker, stored, nowMs } = counts;
  const metrics = createRedisMetrics(options.registry, breaker.isOpen);
  let pending: Batch = new Map();

  const decideHere = (caller: string, limit: number, source: DecisionSource) => {
    const decided = mirror.take(caller, limit, nowMs());
    metrics.decided(source, decided.admitted);
    return decided;
  };

  const send = async (batch: Batch) => {
    let isDecided = false;
    const decideAllHere = (reason: string) => {
      isDecided = true;
      breaker.failed(reason);
      for (const [caller, { limit, resolves }] of batch)
        for (const resolve of resolves) resolve(decideHere(caller, limit, "local"));
    };
    const met = counts.startDeadline((reason) => {
      metrics.timedOut();
      decideAllHere(reason);
    });
    try {
      const startMs = performance.now();
      const requests = Array.from(batch, ([caller, { limit, window, resolves }]) => ({
        caller,
        window,
        count: resolves.length,
        limit,
      }));
      const response = await stored.take(requests, () => !isDecided);
      metrics.responded(performance.now() - startMs);
      if (!response) return;
      if (!isDecided) breaker.succeeded();
      for (const [index, { caller, limit }] of requests.entries()) {
        const decided = response.decisions[index] as StoreDecision;
        if (isDecided) {
          // Too late for these requests, but the mirror still needs the counts.
          mirror.merge(caller, decided.window, response.nowMs);
          continue;
        }
        const resolves = batch.get(caller)?.resolves ?? [];
        const { window, decisions } = decideWithStore(mirror.find(caller, response.nowMs), decided, {
          ...{ requested: resolves.length, limit, nowMs: response.nowMs },
          isStoreBehind: stored.isBehind(),
        });
        mirror.put(caller, window, response.nowMs);
        decisions.forEach((one, waiter) => {
          metrics.decided("redis", one.admitted);
          resolves[waiter]?.(one);
        });
      }
      isDecided = true;
    } catch (error) {
      if (!isDecided) decideAllHere(reasonOf(error));
    } finally {
      met();
    }
  };

  const timer = createBatchTimer(() => {
    const batch = pending;
    pending = new Map();
    void send(batch);
  });

  return {
    limit: options.limit,
    take(ip, key) {
      const limit = key ? key.limit : options.limit;
      const caller = nameOf(ip, key?.keyId);
      const window = mirror.find(caller, nowMs());
      if ((window ? usedIn(window) : 0) >= limit) return decideHere(caller, limit, "mirror");
      if (breaker.isOpen()) return decideHere(caller, limit, "local");
      return new Promise((resolve) => {
        const same = pending.get(caller);
        if (same) {
          same.resolves.push(resolve);
          return;
        }
        pending.set(caller, { limit, window, resolves: [resolve] });
        if (pending.size === MAX_BATCH_CALLERS) timer.sendNow();
        else if (pending.size === 1) timer.start();
      });
    },
    [Symbol.asyncDispose]: counts[Symbol.asyncDispose],
  };
}
