import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";
import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";
import { CLOCK_SLACK_MS, decision, type HourWindow, isOpen, mergeWindows, openWindow, usedIn } from "./window.ts";

/** About 160 bytes each in one process, 220 with Redis. The least recently active callers are dropped first. */
export const MAX_CALLERS = 1_000_000;

/** Windows last no longer than this. */
const GENERATION_MS = HOUR_MS + CLOCK_SLACK_MS;

/**
 * The hours of all callers known to a gateway. In memory only. Each is one object that is updated in place: with a new object per
 * request, a large old table would refer to new objects, which makes garbage collections expensive.
 */
export interface Windows {
  /** A caller's hour, if it is open. To keep it as it is, copy it. */
  find(caller: string, nowMs: number): HourWindow | undefined;
  /** Merges a received window into the known one. @returns undefined if neither is open. */
  merge(caller: string, received: HourWindow, nowMs: number): HourWindow | undefined;
  /** Sets a caller's hour. */
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

  /** Starts a new generation if it is time. This caller is kept. */
  const makeRoom = (caller: string, nowMs: number) => {
    // If the clock was set back, a generation mustn't stay until it has caught up.
    youngSinceMs = Math.min(youngSinceMs, nowMs);
    if (nowMs - youngSinceMs < GENERATION_MS && !windows.isFull) return;
    const window = windows.get(caller);
    windows.startGeneration();
    youngSinceMs = nowMs;
    if (window) windows.set(caller, window);
  };
  const set = (caller: string, last: HourWindow | undefined, { endMs, own, peers }: HourWindow): HourWindow => {
    if (last === undefined) {
      const window = { endMs, own, peers };
      windows.set(caller, window);
      return window;
    }
    last.endMs = endMs;
    last.own = own;
    last.peers = peers;
    return last;
  };
  const put = (caller: string, window: HourWindow, nowMs: number) => {
    makeRoom(caller, nowMs);
    set(caller, windows.refresh(caller), window);
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
      makeRoom(caller, nowMs);
      const last = windows.refresh(caller);
      const window = last && isOpen(last, nowMs) ? last : set(caller, last, openWindow(nowMs));
      const usedBefore = usedIn(window);
      const admitted = usedBefore < limit;
      if (admitted) window.own += 1;
      return decision(admitted, usedBefore + 1, window, limit);
    },
    callers(nowMs) {
      const open = new Set<string>();
      for (const [caller, window] of windows) if (isOpen(window, nowMs)) open.add(caller);
      return [...open];
    },
  };
}
