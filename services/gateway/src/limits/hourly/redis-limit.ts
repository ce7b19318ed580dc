import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "@prometheus-io/client";
import { createBatchTimer } from "../../upstream/batcher.ts";
import { createCallerNames, type HourlyDecision, type HourlyLimit } from "./hourly-limit.ts";
import { createFailureCount, createRedisMetrics, type DecisionSource } from "./hourly-metrics.ts";
import type { RedisAccess } from "./redis-access.ts";
import { openRedisCounts } from "./redis-counts.ts";
import { RedisTimeout, startDeadline } from "./redis-failures.ts";
import { decideWithStore, type StoreDecision, usedIn } from "./windows.ts";

/** Callers per script, so that no script blocks Redis for long. */
const MAX_BATCH_CALLERS = 200;
/** Requests for one script, by caller, with the limit of the first one. */
type Batch = Map<string, { limit: number; resolves: ((decided: HourlyDecision) => void)[] }>;

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
  const counts = await openRedisCounts({ ...options, onFailure: createFailureCount(options.registry) });
  const { mirror, stored, nowMs, responseTimeoutMs } = counts;
  const metrics = createRedisMetrics(options.registry, counts.isAlone);
  let pending: Batch = new Map();

  const decideHere = (caller: string, limit: number, source: DecisionSource) => {
    const decided = mirror.take(caller, limit, nowMs());
    metrics.decided(source, decided.admitted);
    return decided;
  };
  const decideWithoutAsking = (caller: string, limit: number) => {
    const window = mirror.find(caller, nowMs());
    if ((window ? usedIn(window) : 0) >= limit) return decideHere(caller, limit, "mirror");
    return counts.isAlone() ? decideHere(caller, limit, "local") : null;
  };

  const send = async (batch: Batch) => {
    let isDecided = false;
    const sentAtMs = performance.now();
    const decideAllHere = (error: unknown) => {
      isDecided = true;
      counts.failed(error);
      for (const [caller, { limit, resolves }] of batch)
        for (const resolve of resolves) resolve(decideHere(caller, limit, "local"));
    };
    const met = startDeadline(responseTimeoutMs, () => {
      metrics.timedOut();
      decideAllHere(new RedisTimeout(responseTimeoutMs));
    });
    try {
      const requests = Array.from(batch, ([caller, { limit, resolves }]) => ({
        caller,
        window: mirror.find(caller, nowMs()),
        count: resolves.length,
        limit,
      }));
      const response = await stored.take(requests, () => !isDecided);
      met();
      metrics.responded(performance.now() - sentAtMs);
      if (!response) return;
      if (isDecided || response.isLate) {
        // The mirror still needs the counts of other gateways, and Redis those of this one.
        for (const [index, { caller }] of requests.entries())
          mirror.merge(caller, (response.decisions[index] as StoreDecision).window, response.nowMs);
        if (!isDecided) decideAllHere(new RedisTimeout(responseTimeoutMs));
        if (response.isLate) await stored.merge([...batch.keys()]);
        return;
      }
      counts.succeeded();
      for (const [index, { caller, limit }] of requests.entries()) {
        const resolves = batch.get(caller)?.resolves ?? [];
        const decided = response.decisions[index] as StoreDecision;
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
    } catch (error) {
      if (!isDecided) decideAllHere(error);
    } finally {
      met();
    }
  };

  const timer = createBatchTimer(() => {
    const batch = pending;
    pending = new Map();
    void send(batch);
  });
  const ask = (caller: string, limit: number, resolve: (decided: HourlyDecision) => void) => {
    const same = pending.get(caller);
    if (same) {
      same.resolves.push(resolve);
      return;
    }
    pending.set(caller, { limit, resolves: [resolve] });
    if (pending.size === MAX_BATCH_CALLERS) timer.sendNow();
    else if (pending.size === 1) timer.start();
  };

  return {
    limit: options.limit,
    take(ip, key) {
      const limit = key ? key.limit : options.limit;
      const caller = nameOf(ip, key?.keyId);
      return decideWithoutAsking(caller, limit) ?? new Promise((resolve) => ask(caller, limit, resolve));
    },
    [Symbol.asyncDispose]: counts[Symbol.asyncDispose],
  };
}
