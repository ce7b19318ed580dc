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
import { parseUpdate, type RedisState } from "./redis-store.ts";
import { createStoredCounts, type StoredCounts } from "./stored-counts.ts";
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

/** The counts that gateways share through Redis, and this gateway's mirror of them. */
export interface RedisCounts extends AsyncDisposable {
  readonly mirror: Windows;
  readonly breaker: Breaker;
  readonly lease: Lease;
  readonly stored: StoredCounts;
  /** The estimated time of Redis's clock, which windows use, in whole milliseconds. Steps of this machine's clock don't change it. */
  nowMs(): number;
  /** Starts a request's wait for Redis. @returns a function that ends it before `onMissed` is called. */
  startDeadline(onMissed: (reason: string) => void): () => void;
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
  /** A probe asks Redis. If the breaker is open, it then catches up: it reads the counts of gateways that decided alone. */
  let probing: "no" | "asking" | "catching up" = "no";
  /** Whether another gateway still decides alone. */
  let isHandingOver = false;

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
    canClaim: () => !stored.isBehind(),
    onEnd: () => stored.markBehind(),
  });
  const stored = createStoredCounts({ redis, gateway, mirror, lease, breaker, keylessLimit, nowMs, log });

  const responded = async ({ leaseHolder, gateways }: RedisState) => {
    // If no other gateway is connected, the holder has crashed.
    isHandingOver = leaseHolder !== "" && leaseHolder !== gateway && gateways > 1;
    if (isHandingOver) {
      lease.abandon();
      if (!breaker.isOpen()) breaker.failed("another gateway is deciding alone");
      setTimeout(() => {
        if (probing === "no") void probe();
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
    if (probing !== "no") {
      if (probing === "asking") breaker.failed(noResponse);
      return;
    }
    probing = "asking";
    const sentAtMs = performance.now();
    let isLate = false;
    const met = startWait((reason) => {
      isLate = true;
      breaker.failed(reason);
    });
    try {
      const state = await stored.probe();
      met();
      if (!isLate) {
        // Relative to the time of sending, so that windows seem to end some milliseconds early, not late.
        clockOffsetMs = state.nowMs - sentAtMs;
        if (breaker.isOpen()) probing = "catching up";
        await responded(state);
      }
    } catch (error) {
      if (!isLate) breaker.failed(reasonOf(error));
    } finally {
      met();
      probing = "no";
    }
    await stored.restore();
  };

  const check = () => {
    mirror.expire(nowMs());
    void probe();
  };
  const probes = repeat(PROBE_INTERVAL_MS, check, log);
  const giveUpAtMs = performance.now() + START_TIMEOUT_MS + HANDOVER_TIMEOUT_MS;
  const giveUp = () => {
    if (probing === "catching up" || (isHandingOver && performance.now() < giveUpAtMs))
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
    stored,
    nowMs,
    startDeadline: startWait,
    [Symbol.asyncDispose]: async () => {
      await probes[Symbol.asyncDispose]();
      await lease[Symbol.asyncDispose]();
      redis[Symbol.dispose]();
    },
  };
}
