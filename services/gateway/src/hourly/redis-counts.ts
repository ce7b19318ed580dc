import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { startDeadline } from "./deadline.ts";
import { createLease, type Lease } from "./lease/lease.ts";
import { LEASE_MS } from "./lease/lease-scripts.ts";
import type { RedisAccess } from "./redis-access.ts";
import { connectRedis, reasonOf } from "./redis-connection.ts";
import { type CallerRequests, mergeIntoRedis, parseUpdate, type RedisState, takeFromRedis } from "./redis-store.ts";
import { type StoreDecision, usedIn } from "./window.ts";
import { createWindows, type Windows } from "./windows.ts";

/** The longest wait of a request for Redis. */
const RESPONSE_TIMEOUT_MS = 50;

/** How often Redis is checked for being available and still having its data. */
const PROBE_INTERVAL_MS = 250;
/** The same while another gateway hands over. */
const HANDOVER_PROBE_MS = 25;
/** How long opening waits for Redis, so that a gateway has its counts from the start. */
const START_TIMEOUT_MS = 1_000;
/** How much longer it waits for a gateway that hands over. If that one doesn't, its lease expires by then. */
const HANDOVER_TIMEOUT_MS = LEASE_MS;
/** Callers per script, so that no script blocks Redis for long. */
const MAX_MERGED_CALLERS = 200;

/** The counts that gateways share through Redis, and this gateway's mirror of them. */
export interface RedisCounts extends AsyncDisposable {
  readonly mirror: Windows;
  readonly breaker: Breaker;
  readonly lease: Lease;
  /** The estimated time of Redis's clock, which windows use, in whole milliseconds. Steps of this machine's clock don't change it. */
  nowMs(): number;
  /** Whether Redis's keys may lack counts that the mirror has. */
  isRedisBehind(): boolean;
  /** Starts a request's wait for Redis. @returns a function that ends it before `onMissed` is called. */
  startDeadline(onMissed: (reason: string) => void): () => void;
  /**
   * Asks Redis to admit requests. Never retried, since a failed call may have had its effect.
   * @param isWanted whether the decisions are still needed.
   * @returns the decisions in order, and Redis's time; null if they are no longer needed.
   * @throws Error if Redis fails.
   */
  take(
    requests: readonly CallerRequests[],
    isWanted: () => boolean,
  ): Promise<{ nowMs: number; decisions: StoreDecision[] } | null>;
}

/**
 * Opens the counts. Resolves once Redis has responded, but after a second at the latest, or two if another gateway is still handing
 * over. A log that is being read is read to its end.
 * @param options.clock this machine's; used only until Redis has responded.
 * @param options.limit keyless requests per hour.
 * @param options.onLogged called when Redis has counts that this gateway decided alone, with the time that it took.
 * @param options.responseTimeoutMs for tests.
 * @param options.minAloneMs how long a gateway is alone before it takes the lease.
 * @throws StartError if the URL is invalid.
 */
export async function openRedisCounts(options: {
  access: RedisAccess;
  limit: number;
  clock: Clock;
  log: Logger;
  onLogged?: (durationMs: number) => void;
  responseTimeoutMs?: number | undefined;
  minAloneMs?: number | undefined;
}): Promise<RedisCounts> {
  const { clock, limit: keylessLimit, log, responseTimeoutMs = RESPONSE_TIMEOUT_MS } = options;
  const noResponse = `no response within ${responseTimeoutMs} ms`;
  const startWait = (onMissed: (reason: string) => void) =>
    startDeadline(responseTimeoutMs, () => onMissed(noResponse));
  const gateway = randomBytes(6).toString("base64url");
  const mirror = createWindows();
  const started = Promise.withResolvers<void>();
  /** Redis's clock minus the monotonic one. */
  let clockOffsetMs = clock() - performance.now();
  let epoch = "";
  /** Whether the mirror may have counts that Redis doesn't. */
  let isRedisBehind = false;
  let isMergingAll = false;
  let isProbing = false;
  /** Whether another gateway still decides alone. */
  let isHandingOver = false;
  /** Whether the counts of gateways that decided alone are being read. */
  let isCatchingUp = false;

  const isBehind = () => isRedisBehind || isMergingAll;
  const nowMs = () => Math.round(performance.now() + clockOffsetMs);
  const message = "hourly limit without Redis; falling back to this gateway's own counts";
  const logOpen = budgetedLine(log, "warn", message, CHANGES);
  const logClosed = budgetedLine(log, "info", "hourly limit shared through Redis", CHANGES);
  const breaker = createBreaker({
    onOpen: (reason) => logOpen({ reason }, reason),
    onClose: () => {
      logClosed({});
      isRedisBehind = true;
      started.resolve();
    },
  });
  const redis = connectRedis({
    access: options.access,
    onUp: () => void probe(),
    onDown: (reason) => {
      breaker.trip(reason);
      isHandingOver = false;
      lease.abandon();
    },
    onUpdate: (text) => {
      const now = nowMs();
      for (const [caller, window] of parseUpdate(text, gateway)) mirror.merge(caller, window, now);
    },
  });

  const lease = createLease({
    ...{ redis, gateway, mirror, nowMs, log, minAloneMs: options.minAloneMs, onLogged: options.onLogged },
    canClaim: () => !isBehind(),
    onEnd: () => {
      isRedisBehind = true;
    },
  });

  /** Merges the mirror's counts of these callers into Redis. */
  const merge = async (callers: readonly string[]) => {
    const now = nowMs();
    const windows = callers.flatMap((caller) => {
      const window = mirror.find(caller, now);
      return window && usedIn(window) > 0 ? [[caller, window] as const] : [];
    });
    const state = await mergeIntoRedis(redis, { newEpoch: randomBytes(9).toString("base64url"), gateway, windows });
    if (state.epoch !== epoch) {
      if (epoch !== "") {
        log.warn("Redis lost its data; gateways restore the hourly counts");
        lease.abandon();
      }
      epoch = state.epoch;
      isRedisBehind = true;
    }
    return state;
  };

  const mergeAll = async () => {
    if (isMergingAll || !isRedisBehind || breaker.isOpen()) return;
    isMergingAll = true;
    isRedisBehind = false;
    const readUpTo = lease.position();
    try {
      let callers: string[] = [];
      for (const caller of mirror.callers(nowMs())) {
        if (callers.push(caller) < MAX_MERGED_CALLERS) continue;
        await merge(callers);
        callers = [];
      }
      if (callers.length > 0) await merge(callers);
      await lease.trimLog(readUpTo);
    } catch (error) {
      isRedisBehind = true;
      breaker.failed(reasonOf(error));
    } finally {
      isMergingAll = false;
    }
  };

  const responded = async ({ leaseHolder, gateways }: RedisState) => {
    // If no other gateway is connected, the holder has crashed.
    isHandingOver = leaseHolder !== "" && leaseHolder !== gateway && gateways > 1;
    if (isHandingOver) {
      lease.abandon();
      if (!breaker.isOpen()) breaker.failed("another gateway is deciding alone");
      setTimeout(() => {
        if (!isProbing) void probe();
      }, HANDOVER_PROBE_MS).unref();
      return;
    }
    if (leaseHolder !== "") await lease.deleteUnused(leaseHolder);
    if (breaker.isOpen()) await lease.readLog();
    breaker.succeeded();
    lease.probed(gateways === 1);
  };

  // Never more than one: a dead connection is closed for its silence while the probe is pending.
  const probe = async () => {
    if (!redis.isUp()) return;
    if (isProbing) {
      if (!isCatchingUp) breaker.failed(noResponse);
      return;
    }
    isProbing = true;
    const sentAtMs = performance.now();
    let isLate = false;
    const met = startWait((reason) => {
      isLate = true;
      breaker.failed(reason);
    });
    try {
      const state = await merge([]);
      met();
      if (!isLate) {
        // Relative to the time of sending, so that windows seem to end some milliseconds early, not late.
        clockOffsetMs = state.nowMs - sentAtMs;
        isCatchingUp = breaker.isOpen();
        await responded(state);
      }
    } catch (error) {
      if (!isLate) breaker.failed(reasonOf(error));
    } finally {
      met();
      isProbing = false;
      isCatchingUp = false;
    }
    await mergeAll();
  };

  const check = () => {
    mirror.expire(nowMs());
    void probe();
  };
  const probes = repeat(PROBE_INTERVAL_MS, check, log);
  const giveUpAtMs = performance.now() + START_TIMEOUT_MS + HANDOVER_TIMEOUT_MS;
  const giveUp = () => {
    if (isCatchingUp || (isHandingOver && performance.now() < giveUpAtMs))
      timeout = setTimeout(giveUp, HANDOVER_PROBE_MS);
    else started.resolve();
  };
  let timeout = setTimeout(giveUp, START_TIMEOUT_MS);
  await started.promise;
  clearTimeout(timeout);
  return {
    mirror,
    breaker,
    lease,
    nowMs,
    isRedisBehind: isBehind,
    startDeadline: startWait,
    take: async (requests, isWanted) => {
      const response = await takeFromRedis(redis, { epoch, gateway, keylessLimit, requests });
      if (response) return response;
      // Redis lost its data, so the call had no effect. Restore the counts of these callers first.
      await merge(requests.map(({ caller }) => caller));
      if (!isWanted()) return null;
      const retried = await takeFromRedis(redis, { epoch, gateway, keylessLimit, requests });
      if (!retried) throw new Error("Redis lost its data twice in a row");
      return retried;
    },
    [Symbol.asyncDispose]: async () => {
      await probes[Symbol.asyncDispose]();
      await lease[Symbol.asyncDispose]();
      redis[Symbol.dispose]();
    },
  };
}
