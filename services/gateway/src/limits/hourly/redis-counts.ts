import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { RedisAccess } from "./redis-access.ts";
import { connectRedis, RECONNECT_MS } from "./redis-connection.ts";
import {
  createBreaker,
  type Failure,
  failureOf,
  isReplica,
  RedisTimeout,
  reasonOf,
  startDeadline,
} from "./redis-failures.ts";
import { parseUpdate } from "./redis-store.ts";
import { createStoredCounts, type StoredCounts } from "./stored-counts.ts";
import { createWindows, type Windows } from "./windows.ts";

/** How long a request waits for Redis. */
const RESPONSE_TIMEOUT_MS = 50;

/** How often Redis is checked for being available and still having its data. */
const PROBE_INTERVAL_MS = 250;
/** How long opening waits for Redis, so that a gateway has its counts from the start. */
const START_TIMEOUT_MS = 1_000;
/** A connection that can't be used for this long is replaced: it may be dead, and the name may have another address. */
const USELESS_MS = 2_000;
/** The same for one to a replica. */
const REPLICA_MS = 500;

/** The counts that gateways share through Redis, and this gateway's mirror of them. */
export interface RedisCounts extends AsyncDisposable {
  readonly mirror: Windows;
  readonly stored: StoredCounts;
  readonly responseTimeoutMs: number;
  /** Whether this gateway counts without Redis. */
  isAlone(): boolean;
  /** The estimated time of Redis's clock, which windows use, in whole milliseconds. Steps of this machine's clock don't change it. */
  nowMs(): number;
  /** Call after each successful call of Redis. */
  succeeded(): void;
  /** Call after each failed call of Redis. */
  failed(error: unknown): void;
}

/**
 * Opens the counts. Resolves once Redis has responded, but after a second at the latest.
 * @param options.clock this machine's; used only until Redis has responded.
 * @param options.onFailure called after each failed call, and each failed attempt to connect.
 * @param options.responseTimeoutMs for tests.
 * @throws StartError if the URL is invalid.
 */
export async function openRedisCounts(options: {
  access: RedisAccess;
  clock: Clock;
  log: Logger;
  onFailure: (failure: Failure) => void;
  responseTimeoutMs?: number | undefined;
}): Promise<RedisCounts> {
  const { clock, log, responseTimeoutMs = RESPONSE_TIMEOUT_MS } = options;
  const gateway = randomBytes(6).toString("base64url");
  const mirror = createWindows();
  const started = Promise.withResolvers<void>();
  /** Redis's clock minus the monotonic one. */
  let clockOffsetMs = clock() - performance.now();
  let isProbing = false;
  let lastFailure: Failure = "connection";

  const nowMs = () => Math.round(performance.now() + clockOffsetMs);
  const message = "hourly limit without Redis; falling back to this gateway's own counts";
  const logOpen = budgetedLine(log, "warn", message, CHANGES);
  const logClosed = budgetedLine(log, "info", "hourly limit shared through Redis", CHANGES);
  const breaker = createBreaker({
    onOpen: (reason) => logOpen({ reason }, reason),
    onClose: () => {
      logClosed({});
      stored.markBehind();
      started.resolve();
    },
  });
  const failed = (error: unknown, isCertain = false) => {
    lastFailure = failureOf(error);
    options.onFailure(lastFailure);
    if (isCertain || isReplica(lastFailure)) breaker.trip(reasonOf(error));
    else breaker.failed(reasonOf(error));
  };
  const redis = connectRedis({
    access: options.access,
    onUp: () => void probe(),
    onDown: (error) => failed(error, true),
    onUpdate: (text) => {
      const now = nowMs();
      for (const [caller, window] of parseUpdate(text, gateway)) mirror.merge(caller, window, now);
    },
  });
  const stored = createStoredCounts({
    ...{ redis, gateway, mirror, nowMs, log },
    validMs: Math.max(responseTimeoutMs, RECONNECT_MS),
  });

  // Never more than one: a connection on which a probe stays pending is replaced.
  const probe = async () => {
    if (!redis.isUp()) return;
    if (isProbing) {
      failed(new RedisTimeout(responseTimeoutMs));
      return;
    }
    isProbing = true;
    const sentAtMs = performance.now();
    let isLate = false;
    const met = startDeadline(responseTimeoutMs, () => {
      isLate = true;
      failed(new RedisTimeout(responseTimeoutMs));
    });
    try {
      const { nowMs: redisMs } = await stored.merge([]);
      met();
      if (!isLate) {
        // Relative to the time of sending, so that windows seem to end some milliseconds early, not late.
        clockOffsetMs = redisMs - sentAtMs;
        breaker.succeeded();
      }
      if (!breaker.isOpen()) void stored.restore().catch(failed);
    } catch (error) {
      if (!isLate) failed(error);
    } finally {
      met();
      isProbing = false;
    }
  };

  const check = () => {
    mirror.expire(nowMs());
    if (breaker.isOpen()) redis.renew(isReplica(lastFailure) ? REPLICA_MS : USELESS_MS);
    void probe();
  };
  const probes = repeat(PROBE_INTERVAL_MS, check, log);
  const timeout = setTimeout(started.resolve, START_TIMEOUT_MS);
  await started.promise;
  clearTimeout(timeout);
  return {
    mirror,
    stored,
    responseTimeoutMs,
    isAlone: breaker.isOpen,
    nowMs,
    succeeded: breaker.succeeded,
    failed,
    [Symbol.asyncDispose]: async () => {
      await probes[Symbol.asyncDispose]();
      redis[Symbol.dispose]();
    },
  };
}
