import { randomBytes } from "node:crypto";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { type CallerRequests, mergeIntoRedis, type TakenFromRedis, takeFromRedis } from "./redis-store.ts";
import { usedIn, type Windows } from "./windows.ts";

/** Callers per script, so that no script blocks Redis for long. */
const MAX_MERGED_CALLERS = 200;

/** The counts in Redis's keys, which every gateway restores from its mirror if they are lost. */
export interface StoredCounts {
  /** Whether they may lack counts that the mirror has. */
  isBehind(): boolean;
  /** Call when they may lack some. */
  markBehind(): void;
  /**
   * Merges the mirror's counts of some callers into them, and notices if Redis's data is lost.
   * @returns Redis's time (ms). @throws Error if Redis fails.
   */
  merge(callers: readonly string[]): Promise<{ nowMs: number }>;
  /** If they are behind, merges all of the mirror's counts into them. @throws Error if Redis fails. */
  restore(): Promise<void>;
  /**
   * Asks Redis to admit requests. Never retried, since a failed call may have had its effect.
   * @param isWanted whether the decisions are still needed.
   * @returns null if they are no longer needed.
   * @throws Error if Redis fails.
   */
  take(requests: readonly CallerRequests[], isWanted: () => boolean): Promise<TakenFromRedis | null>;
}

/**
 * @param options.validMs how long after it was sent Redis may still admit a request.
 */
export function createStoredCounts(options: {
  redis: RedisConnection;
  gateway: string;
  mirror: Windows;
  validMs: number;
  nowMs: () => number;
  log: Logger;
}): StoredCounts {
  const { redis, gateway, mirror, validMs, nowMs, log } = options;
  let epoch = "";
  let isBehind = false;
  let isRestoring = false;

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
  const take = (requests: readonly CallerRequests[], isWanted: () => boolean) =>
    takeFromRedis(redis, { epoch, gateway, validUntilMs: nowMs() + validMs, requests, isWanted });

  return {
    isBehind: () => isBehind || isRestoring,
    markBehind: () => {
      isBehind = true;
    },
    merge,
    restore: async () => {
      if (isRestoring || !isBehind) return;
      isRestoring = true;
      isBehind = false;
      try {
        await mergeAll();
      } catch (error) {
        isBehind = true;
        throw error;
      } finally {
        isRestoring = false;
      }
    },
    take: async (requests, isWanted) => {
      const response = await take(requests, isWanted);
      if (response && !response.isLate) return response;
      // Redis lost its data, so the call had no effect. Restore the counts of these callers first.
      if (!response) await merge(requests.map(({ caller }) => caller));
      // Otherwise, this process was too busy to send it in time.
      if (!isWanted()) return response;
      const retried = await take(requests, isWanted);
      if (!retried) throw new Error("Redis lost its data twice in a row");
      return retried;
    },
  };
}
