import { randomBytes } from "node:crypto";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Breaker } from "./breaker.ts";
import { type RedisConnection, reasonOf } from "./redis-connection.ts";
import { type CallerRequests, mergeIntoRedis, takeFromRedis } from "./redis-store.ts";
import { type StoreDecision, usedIn } from "./window.ts";
import type { Windows } from "./windows.ts";

/** Callers per script, so that no script blocks Redis for long. */
const MAX_MERGED_CALLERS = 200;

/** The counts in Redis's keys, which every gateway restores from its mirror if they are lost. */
export interface StoredCounts {
  /** Whether they may lack counts that the mirror has. */
  isBehind(): boolean;
  /** Call when they may lack some. */
  markBehind(): void;
  /** Asks Redis for its time (ms), and notices if its data is lost. @throws Error if Redis fails. */
  probe(): Promise<{ nowMs: number }>;
  /** If they are behind, merges all of the mirror's counts into them. Never rejects. */
  restore(): Promise<void>;
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

/** @param options.keylessLimit requests per hour. */
export function createStoredCounts(options: {
  redis: RedisConnection;
  gateway: string;
  mirror: Windows;
  breaker: Breaker;
  keylessLimit: number;
  nowMs: () => number;
  log: Logger;
}): StoredCounts {
  const { redis, gateway, mirror, breaker, keylessLimit, nowMs, log } = options;
  let epoch = "";
  let isBehind = false;
  let isRestoring = false;

  /** Merges the mirror's counts of these callers into Redis. */
  const merge = async (callers: readonly string[]) => {
    const now = nowMs();
    const windows = callers.flatMap((caller) => {
      const window = mirror.find(caller, now);
      return window && usedIn(window) > 0 ? [[caller, window] as const] : [];
    });
    const state = await mergeIntoRedis(redis, { newEpoch: randomBytes(9).toString("base64url"), gateway, windows });
    if (state.epoch !== epoch) {
      if (epoch !== "") log.warn("Redis lost its data; gateways restore the hourly counts");
      epoch = state.epoch;
      isBehind = true;
    }
    return state;
  };
  const mergeAll = async () => {
    let callers: string[] = [];
    for (const caller of mirror.callers(nowMs())) {
      if (callers.push(caller) < MAX_MERGED_CALLERS) continue;
      await merge(callers);
      callers = [];
    }
    if (callers.length > 0) await merge(callers);
  };

  return {
    isBehind: () => isBehind || isRestoring,
    markBehind: () => {
      isBehind = true;
    },
    probe: () => merge([]),
    restore: async () => {
      if (isRestoring || !isBehind || breaker.isOpen()) return;
      isRestoring = true;
      isBehind = false;
      try {
        await mergeAll();
      } catch (error) {
        isBehind = true;
        breaker.failed(reasonOf(error));
      } finally {
        isRestoring = false;
      }
    },
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
  };
}
