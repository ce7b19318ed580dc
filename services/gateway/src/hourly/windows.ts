import type { HourSlots } from "./hour-slots.ts";
import { HourTable } from "./hour-table.ts";
import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";
import { CLOCK_SLACK_MS, decision, type HourWindow, isOpen, mergeWindows, openWindow, usedIn } from "./window.ts";

/**
 * 67 MB in all, and with several gateways about 200 bytes for each caller that another one has served. The least recently active callers
 * are dropped first.
 */
export const MAX_CALLERS = 1_000_000;

/** Windows last no longer than this. */
const GENERATION_MS = HOUR_MS + CLOCK_SLACK_MS;

/** The hours of all callers known to a gateway. In memory only. */
export interface Windows {
  /** A copy of a caller's hour, if it is open. @param caller its name, of NAME_LENGTH characters. */
  find(caller: string, nowMs: number): HourWindow | undefined;
  /** Merges a received window into the known one. @returns undefined if neither is open. */
  merge(caller: string, received: HourWindow, nowMs: number): HourWindow | undefined;
  /** Sets a caller's hour. */
  put(caller: string, window: HourWindow, nowMs: number): void;
  /**
   * Decides on one request from the known window, and counts it if it is admitted.
   * @param onAdmitted called with the caller's hour if the request is admitted.
   */
  take(
    caller: string,
    limit: number,
    nowMs: number,
    onAdmitted?: (caller: string, window: HourWindow) => void,
  ): HourlyDecision;
  /**
   * The callers with open windows, read in parts of about 5 ms. Requests may come between two: a caller that they add may be
   * missing, and one whose hour they change may come twice.
   */
  callers(nowMs: number): Iterable<string>;
  /** Copies of the open hours, with the requests that this gateway admitted. A caller may come twice. */
  openHours(nowMs: number): Iterable<{ slots: HourSlots; count: number }>;
  /** The callers in memory. */
  size(): number;
  /** Whether callers were dropped before their hours ended, or may soon be. */
  mayDrop(nowMs: number): boolean;
  /** Drops hours that ended long ago. Called every minute or more often, it drops each about two hours after its start at the latest. */
  expire(nowMs: number): void;
}

/** Of all callers. A generation is full at half of them. */
const ALMOST_FULL = 0.4;

/** A new generation starts when the young one is as old as a window can get, or full. */
export function createWindows(maxCallers = MAX_CALLERS): Windows {
  let young = new HourTable();
  let old = new HourTable();
  let youngSinceMs = Number.NEGATIVE_INFINITY;
  /** When no dropped caller's hour is open anymore. */
  let completeAtMs = Number.NEGATIVE_INFINITY;

  const expire = (nowMs: number) => {
    // If the clock was set back, a generation mustn't stay until it has caught up.
    youngSinceMs = Math.min(youngSinceMs, nowMs);
    const isOver = nowMs - youngSinceMs >= GENERATION_MS;
    if (!isOver && young.size < maxCallers / 2) return;
    if (!isOver) completeAtMs = nowMs + GENERATION_MS;
    old = young;
    young = new HourTable();
    youngSinceMs = nowMs;
  };
  const get = (caller: string) => young.get(caller) ?? old.get(caller);
  const put = (caller: string, window: HourWindow, nowMs: number) => {
    expire(nowMs);
    young.set(caller, window);
  };
  return {
    expire,
    put,
    size: () => young.size + old.size,
    mayDrop: (nowMs) => young.size >= ALMOST_FULL * maxCallers || nowMs < completeAtMs,
    find(caller, nowMs) {
      const window = get(caller);
      return window && isOpen(window, nowMs) ? window : undefined;
    },
    merge(caller, received, nowMs) {
      const merged = mergeWindows(get(caller), received, nowMs);
      if (merged) put(caller, merged, nowMs);
      return merged;
    },
    take(caller, limit, nowMs, onAdmitted) {
      const last = get(caller);
      const window = last && isOpen(last, nowMs) ? last : openWindow(nowMs);
      const usedBefore = usedIn(window);
      const admitted = usedBefore < limit;
      if (admitted) window.own += 1;
      put(caller, window, nowMs);
      if (admitted) onAdmitted?.(caller, window);
      return decision(admitted, usedBefore + 1, window, limit);
    },
    *callers(nowMs) {
      const [older, younger] = [old, young];
      for (const [caller, endMs] of older.ends()) if (isOpen({ endMs }, nowMs) && !younger.has(caller)) yield caller;
      for (const [caller, endMs] of younger.ends()) if (isOpen({ endMs }, nowMs)) yield caller;
    },
    *openHours(nowMs) {
      for (const table of [old, young]) yield* table.copies((endMs) => isOpen({ endMs }, nowMs));
    },
  };
}
