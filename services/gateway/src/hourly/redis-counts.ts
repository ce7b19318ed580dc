import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { startDeadline } from "./deadline.ts";
import type { RedisAccess } from "./redis-access.ts";
import { connectRedis, reasonOf } from "./redis-connection.ts";
import { parseUpdate } from "./redis-store.ts";
import { createStoredCounts, type StoredCounts } from "./stored-counts.ts";
import { createWindows, type Windows } from "./windows.ts";

/** The longest wait of a request for Redis. */
const RESPONSE_TIMEOUT_MS = 50;

/** How often Redis is checked for being available and still having its data. */
const PROBE_INTERVAL_MS = 250;
/** How long opening waits for Redis, so that a gateway has its counts from the start. */
const START_TIMEOUT_MS = 1_000;

/** The counts that gateways share through Redis, and this gateway's mirror of them. */
export interface RedisCounts extends AsyncDisposable {
  readonly mirror: Windows;
  readonly breaker: Breaker;
  readonly stored: StoredCounts;
  /** The estimated time of Redis's clock, which windows use, in whole milliseconds. Steps of this machine's clock don't change it. */
  nowMs(): number;
  /** Starts a request's wait for Redis. @returns a function that ends it before `onMissed` is called. */
  startDeadline(onMissed: (reason: string) => void): () => void;
}

/**
 * Opens the counts. Resolves once Redis has responded, but after a second at the latest.
 * @param options.clock this machine's; used only until Redis has responded.
 * @param options.limit keyless requests per hour.
 * @param options.responseTimeoutMs for tests.
 * @throws StartError if the URL is invalid.
 */
export async function openRedisCounts(options: {
  access: RedisAccess;
  limit: number;
  clock: Clock;
  log: Logger;
  responseTimeoutMs?: number | undefined;
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
  let isProbing = false;

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
  const redis = connectRedis({
    access: options.access,
    onUp: () => void probe(),
    onDown: (reason) => breaker.trip(reason),
    onUpdate: (text) => {
      const now = nowMs();
      for (const [caller, window] of parseUpdate(text, gateway)) mirror.merge(caller, window, now);
    },
  });

  const stored = createStoredCounts({ redis, gateway, mirror, breaker, keylessLimit, nowMs, log });

  // Never more than one: a dead connection is closed for its silence while the probe is pending.
  const probe = async () => {
    if (!redis.isUp()) return;
    if (isProbing) {
      breaker.failed(noResponse);
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
      const responded = await stored.probe();
      met();
      if (!isLate) {
        // Relative to the time of sending, so that windows seem to end some milliseconds early, not late.
        clockOffsetMs = responded.nowMs - sentAtMs;
        breaker.succeeded();
      }
    } catch (error) {
      if (!isLate) breaker.failed(reasonOf(error));
    } finally {
      met();
      isProbing = false;
    }
    await stored.restore();
  };

  const check = () => {
    mirror.expire(nowMs());
    void probe();
  };
  const probes = repeat(PROBE_INTERVAL_MS, check, log);
  const timeout = setTimeout(started.resolve, START_TIMEOUT_MS);
  await started.promise;
  clearTimeout(timeout);
  return {
    mirror,
    breaker,
    stored,
    nowMs,
    startDeadline: startWait,
    [Symbol.asyncDispose]: async () => {
      await probes[Symbol.asyncDispose]();
      redis[Symbol.dispose]();
    },
  };
}
