import type { HourlyDecision } from "./hourly-limit.ts";
import { decision, type HourWindow, isOpen, joinWindows, takeFromWindow, usedIn } from "./window.ts";

/** At this many callers at once the longest-known ones are forgotten; about 350 bytes each. */
const MAX_CALLERS = 1_000_000;

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
  callers(): string[];
}

export function createWindows(): Windows {
  // Nearly in the order in which they end, so that what is over stands in front.
  const windows = new Map<string, HourWindow>();

  const forgetPast = (nowMs: number) => {
    for (const [caller, window] of windows) {
      if (isOpen(window, nowMs) && windows.size <= MAX_CALLERS) return;
      windows.delete(caller);
    }
  };
  const find = (caller: string, nowMs: number) => {
    const window = windows.get(caller);
    return window && isOpen(window, nowMs) ? window : undefined;
  };
  const put = (caller: string, window: HourWindow, nowMs: number) => {
    if (!find(caller, nowMs)) windows.delete(caller);
    windows.set(caller, window);
    forgetPast(nowMs);
  };
  return {
    find,
    put,
    hear(caller, heard, nowMs) {
      const joined = joinWindows(windows.get(caller), heard, nowMs);
      if (joined) put(caller, joined, nowMs);
      return joined;
    },
    take(caller, limit, nowMs) {
      const { window, admitted } = takeFromWindow(windows.get(caller), nowMs, limit);
      put(caller, window, nowMs);
      return decision(admitted, usedIn(window), window, limit);
    },
    callers: () => [...windows.keys()],
  };
}
