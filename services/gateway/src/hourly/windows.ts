import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";
import { CLOCK_SLACK_MS, decision, type HourWindow, isOpen, joinWindows, takeFromWindow, usedIn } from "./window.ts";

/** At this many callers at once those are forgotten that have not asked for longest; about 350 bytes each. */
const MAX_CALLERS = 1_000_000;

/** Every window is over so long after it was put, so one that nobody put again since may be forgotten. */
const GENERATION_MS = HOUR_MS + CLOCK_SLACK_MS;

/** The hours of all callers that a gateway knows. Memory only. */
export interface Windows {
  /** A caller's hour, if it is open. */
  find(caller: string, nowMs: number): HourWindow | undefined;
  /** Joins what was heard of a caller's hour to what is known. @returns undefined when neither is open. */
  hear(caller: string, heard: HourWindow, nowMs: number): HourWindow | undefined;
  /** Replaces what is known of a caller's hour. */
  put(caller: string, window: HourWindow, nowMs: number): void;
  /** Decides about one request of a caller from what is known here, and counts it if it is admitted. */
  take(caller: string, limit: number, nowMs: number): HourlyDecision;
  /** The callers whose hour is open. */
  callers(nowMs: number): string[];
}

/**
 * Two generations: what is put goes to the young one, and the old one goes as a whole when the young one is as old as
 * a window can get, or full. So no request pays for forgetting others, as it would by deleting from the front of one
 * Map: V8 walks over all that was deleted there before.
 * @param maxCallers held at most.
 */
export function createWindows(maxCallers = MAX_CALLERS): Windows {
  let young = new Map<string, HourWindow>();
  let old = new Map<string, HourWindow>();
  let youngSinceMs = Number.NEGATIVE_INFINITY;

  const recall = (caller: string) => young.get(caller) ?? old.get(caller);
  const makeRoom = (nowMs: number) => {
    // A clock that was set back must not keep a generation until it has caught up.
    youngSinceMs = Math.min(youngSinceMs, nowMs);
    if (nowMs - youngSinceMs < GENERATION_MS && young.size < maxCallers / 2) return;
    old = young;
    young = new Map();
    youngSinceMs = nowMs;
  };
  const put = (caller: string, window: HourWindow, nowMs: number) => {
    makeRoom(nowMs);
    young.set(caller, window);
  };
  return {
    put,
    find(caller, nowMs) {
      const window = recall(caller);
      return window && isOpen(window, nowMs) ? window : undefined;
    },
    hear(caller, heard, nowMs) {
      const joined = joinWindows(recall(caller), heard, nowMs);
      if (joined) put(caller, joined, nowMs);
      return joined;
    },
    take(caller, limit, nowMs) {
      const { window, admitted } = takeFromWindow(recall(caller), nowMs, limit);
      put(caller, window, nowMs);
      return decision(admitted, usedIn(window), window, limit);
    },
    callers(nowMs) {
      const open = new Set<string>();
      for (const windows of [old, young])
        for (const [caller, window] of windows) if (isOpen(window, nowMs)) open.add(caller);
      return [...open];
    },
  };
}
