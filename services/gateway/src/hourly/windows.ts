import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";
import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";
import { CLOCK_SLACK_MS, decision, type HourWindow, isOpen, mergeWindows, takeFromWindow, usedIn } from "./window.ts";

/** About 350 bytes each. The least recently active callers are dropped first. */
export const MAX_CALLERS = 1_000_000;

/** Windows last no longer than this. */
const GENERATION_MS = HOUR_MS + CLOCK_SLACK_MS;

/** The hours of all callers known to a gateway. In memory only. */
export interface Windows {
  /** A caller's hour, if it is open. */
  find(caller: string, nowMs: number): HourWindow | undefined;
  /** Merges a received window into the known one. @returns undefined if neither is open. */
  merge(caller: string, received: HourWindow, nowMs: number): HourWindow | undefined;
  /** Replaces a caller's window. */
  put(caller: string, window: HourWindow, nowMs: number): void;
  /** Decides on one request from the known window, and counts it if it is admitted. */
  take(caller: string, limit: number, nowMs: number): HourlyDecision;
  /** The callers with open windows. */
  callers(nowMs: number): string[];
}

/** A new generation starts when the young one is as old as a window can get, or full. */
export function createWindows(maxCallers = MAX_CALLERS): Windows {
  const windows = new TwoGenerationMap<string, HourWindow>(maxCallers / 2);
  let youngSinceMs = Number.NEGATIVE_INFINITY;

  const makeRoom = (nowMs: number) => {
    // If the clock was set back, a generation mustn't stay until it has caught up.
    youngSinceMs = Math.min(youngSinceMs, nowMs);
    if (nowMs - youngSinceMs < GENERATION_MS && !windows.isFull) return;
    windows.startGeneration();
    youngSinceMs = nowMs;
  };
  const put = (caller: string, window: HourWindow, nowMs: number) => {
    makeRoom(nowMs);
    windows.set(caller, window);
  };
  return {
    put,
    find(caller, nowMs) {
      const window = windows.get(caller);
      return window && isOpen(window, nowMs) ? window : undefined;
    },
    merge(caller, received, nowMs) {
      const merged = mergeWindows(windows.get(caller), received, nowMs);
      if (merged) put(caller, merged, nowMs);
      return merged;
    },
    take(caller, limit, nowMs) {
      const { window, admitted } = takeFromWindow(windows.get(caller), nowMs, limit);
      put(caller, window, nowMs);
      return decision(admitted, usedIn(window), window, limit);
    },
    callers(nowMs) {
      const open = new Set<string>();
      for (const [caller, window] of windows) if (isOpen(window, nowMs)) open.add(caller);
      return [...open];
    },
  };
}
