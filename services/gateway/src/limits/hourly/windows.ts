import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";
import { CLOCK_SLACK_MS, decision, type HourWindow, isOpen, mergeWindows, openWindow, usedIn } from "./window.ts";

/** About 200 MB in all, and with several gateways more. The least recently active callers are dropped first. */
export const MAX_CALLERS = 1_000_000;

/** Windows last no longer than this. */
const GENERATION_MS = HOUR_MS + CLOCK_SLACK_MS;

/** The hours of all callers known to a gateway. In memory only. */
export interface Windows {
  /** A caller's hour, if it is open. @param caller its name. */
  find(caller: string, nowMs: number): HourWindow | undefined;
  /** Merges a received window into the known one. @returns undefined if neither is open. */
  merge(caller: string, received: HourWindow, nowMs: number): HourWindow | undefined;
  /** Sets a caller's hour. */
  put(caller: string, window: HourWindow, nowMs: number): void;
  /** Decides on one request from the known window, and counts it if it is admitted. */
  take(caller: string, limit: number, nowMs: number): HourlyDecision;
  /** The callers with open windows. Requests may come during the walk: a caller that they add may be missing. */
  callers(nowMs: number): Iterable<string>;
  /** Drops hours that ended long ago. Called every minute or more often, it drops each about two hours after its start at the latest. */
  expire(nowMs: number): void;
}

/** A new generation starts when the young one is as old as a window can get, or has half of all callers. */
export function createWindows(maxCallers = MAX_CALLERS): Windows {
  let young = new Map<string, HourWindow>();
  let old: typeof young = new Map();
  let youngSinceMs = Number.NEGATIVE_INFINITY;

  const expire = (nowMs: number) => {
    // If the clock was set back, a generation mustn't stay until it has caught up.
    youngSinceMs = Math.min(youngSinceMs, nowMs);
    if (nowMs - youngSinceMs < GENERATION_MS && young.size < maxCallers / 2) return;
    old = young;
    young = new Map();
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
    find(caller, nowMs) {
      const window = get(caller);
      return window && isOpen(window, nowMs) ? window : undefined;
    },
    merge(caller, received, nowMs) {
      const merged = mergeWindows(get(caller), received, nowMs);
      if (merged) put(caller, merged, nowMs);
      return merged;
    },
    take(caller, limit, nowMs) {
      const last = get(caller);
      const known = last && isOpen(last, nowMs) ? last : openWindow(nowMs);
      const usedBefore = usedIn(known);
      const admitted = usedBefore < limit;
      const window = admitted ? { ...known, own: known.own + 1 } : known;
      put(caller, window, nowMs);
      return decision(admitted, usedBefore + 1, window, limit);
    },
    *callers(nowMs) {
      const [older, younger] = [old, young];
      for (const [caller, window] of older) if (isOpen(window, nowMs) && !younger.has(caller)) yield caller;
      for (const [caller, window] of younger) if (isOpen(window, nowMs)) yield caller;
    },
  };
}
