import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { startDeadline } from "./deadline.ts";
import type { RedisAccess } from "./redis-access.ts";
import { openRedisLink, reasonOf } from "./redis-link.ts";
import { type Ask, raiseRedis, readNews, takeFromRedis } from "./redis-store.ts";
import { type Grant, usedIn } from "./window.ts";
import { createWindows, type Windows } from "./windows.ts";

/** Design, section 7: nobody waits longer for Redis. */
export const ANSWER_TIMEOUT_MS = 50;
export const NO_ANSWER = `no answer within ${ANSWER_TIMEOUT_MS} ms`;

/** How often Redis is asked whether it answers and still remembers; four tiny commands a second. */
const PROBE_INTERVAL_MS = 250;
/** A start waits so long for Redis at most: a gateway that knows nothing should hear before it decides. */
const START_TIMEOUT_MS = 1_000;
/** Callers raised in one script: far from holding Redis for long. */
const RAISED_AT_ONCE = 200;

/** The counts that gateways share through Redis, and this gateway's mirror of them. */
export interface SharedCounts {
  readonly mirror: Windows;
  readonly breaker: Breaker;
  /** The time by Redis's clock, as far as this gateway knows it: windows go by it. */
  nowMs(): number;
  /**
   * Asks Redis for room, once.
   * @param isWanted whether the grants are still waited for.
   * @returns the grants in order, and Redis's time; null when they are no longer waited for.
   * @throws Error when Redis cannot be asked; whether it granted anything is then not known.
   */
  take(asks: readonly Ask[], isWanted: () => boolean): Promise<{ nowMs: number; grants: Grant[] } | null>;
  close(): Promise<void>;
}

/**
 * Opens the counts; resolves when Redis has answered, or after a second without.
 * @throws StartError for a URL that is none.
 */
export async function openSharedCounts(options: {
  access: RedisAccess;
  clock: Clock;
  log: Logger;
}): Promise<SharedCounts> {
  const { clock, log } = options;
  const gateway = randomBytes(6).toString("base64url");
  const mirror = createWindows();
  const started = Promise.withResolvers<void>();
  /** Redis's clock less this machine's. */
  let aheadMs = 0;
  let epoch = "";
  /** Redis may not know all that the mirror knows. */
  let behind = false;
  let raisingAll = false;
  let probing = false;

  const nowMs = () => clock() + aheadMs;
  const message = "hourly limit without Redis; falling back to this gateway's own counts";
  const sayOpen = budgetedLine(log, "warn", message, CHANGES);
  const sayClosed = budgetedLine(log, "info", "hourly limit shared through Redis", CHANGES);
  const breaker = createBreaker({
    onOpen: (reason) => sayOpen({ reason }, reason),
    onClose: () => {
      sayClosed({});
      behind = true;
      started.resolve();
    },
  });
  const link = openRedisLink({
    access: options.access,
    onUp: () => void probe(),
    onDown: breaker.trip,
    onNews: (text) => {
      const now = nowMs();
      for (const [caller, window] of readNews(text, gateway)) mirror.hear(caller, window, now);
    },
  });

  /** Raises what Redis knows of these callers to what the mirror knows. @returns Redis's time. */
  const raise = async (callers: readonly string[]) => {
    const now = nowMs();
    const windows = callers.flatMap((caller) => {
      const window = mirror.find(caller, now);
      return window && usedIn(window) > 0 ? [[caller, window] as const] : [];
    });
    const answer = await raiseRedis(link, { newEpoch: randomBytes(9).toString("base64url"), gateway, windows });
    if (answer.epoch !== epoch) {
      if (epoch !== "") log.warn("Redis lost its memory; the hourly counts are raised again to what gateways remember");
      epoch = answer.epoch;
      behind = true;
    }
    return answer.nowMs;
  };

  const raiseAll = async () => {
    if (raisingAll || !behind || breaker.isOpen()) return;
    raisingAll = true;
    behind = false;
    try {
      const callers = mirror.callers(nowMs());
      for (let at = 0; at < callers.length; at += RAISED_AT_ONCE) await raise(callers.slice(at, at + RAISED_AT_ONCE));
    } catch (error) {
      behind = true;
      breaker.failed(reasonOf(error));
    } finally {
      raisingAll = false;
    }
  };

  // Never more than one: on a connection that leads nowhere it stays unanswered, and silence ends the connection.
  const probe = async () => {
    if (!link.isUp()) return;
    if (probing) {
      breaker.failed(NO_ANSWER);
      return;
    }
    probing = true;
    const sentAtMs = clock();
    let late = false;
    const met = startDeadline(ANSWER_TIMEOUT_MS, () => {
      late = true;
      breaker.failed(NO_ANSWER);
    });
    try {
      const redisNowMs = await raise([]);
      if (!late) {
        // By the time of sending: a window then seems to end early by some milliseconds, and Redis is asked, rather than late.
        aheadMs = redisNowMs - sentAtMs;
        breaker.succeeded();
      }
    } catch (error) {
      if (!late) breaker.failed(reasonOf(error));
    } finally {
      met();
      probing = false;
    }
    await raiseAll();
  };

  const probes = repeat(PROBE_INTERVAL_MS, () => void probe(), log);
  const patience = setTimeout(started.resolve, START_TIMEOUT_MS);
  await started.promise;
  clearTimeout(patience);
  return {
    mirror,
    breaker,
    nowMs,
    take: async (asks, isWanted) => {
      const answer = await takeFromRedis(link, { epoch, gateway, asks });
      if (answer) return answer;
      // Redis lost its memory, and did nothing: tell it first what it should know of these callers.
      await raise(asks.map(({ caller }) => caller));
      if (!isWanted()) return null;
      const again = await takeFromRedis(link, { epoch, gateway, asks });
      if (!again) throw new Error("Redis lost its memory twice in a row");
      return again;
    },
    close: async () => {
      await probes.close();
      link.close();
    },
  };
}
