import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";

/** A window that ends later than this beyond an hour was opened before the clock was set back. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * A caller's hour as one gateway knows it. Each gateway's count only rises, so that two accounts of
 * one hour join by taking the greater count of each gateway: hearing something twice, late or in
 * another order changes nothing, and counts made apart add up.
 */
export interface HourWindow {
  endMs: number;
  /** Requests that this gateway admitted. */
  own: number;
  /** Requests that others admitted, by gateway. */
  others: ReadonlyMap<string, number>;
}

/** One for all: a Map of their own would be most of what is held of callers that no other gateway knows. */
export const NOBODY: ReadonlyMap<string, number> = new Map();

export function openWindow(nowMs: number): HourWindow {
  return { endMs: nowMs + HOUR_MS, own: 0, others: NOBODY };
}

export function isOpen(window: HourWindow, nowMs: number): boolean {
  return nowMs < window.endMs && window.endMs <= nowMs + HOUR_MS + CLOCK_SLACK_MS;
}

/** Requests admitted in the hour, by all gateways. */
export function usedIn(window: HourWindow): number {
  let used = window.own;
  for (const count of window.others.values()) used += count;
  return used;
}

/**
 * What two accounts of a caller's hour say together. Of two ends the earlier is right: the hour opened
 * at the first request of all. A window that is over says nothing.
 * @returns undefined when neither is open at `nowMs`.
 */
export function joinWindows(
  known: HourWindow | undefined,
  heard: HourWindow | undefined,
  nowMs: number,
): HourWindow | undefined {
  const before = known && isOpen(known, nowMs) ? known : undefined;
  const news = heard && isOpen(heard, nowMs) ? heard : undefined;
  if (!before || !news) return before ?? news;
  return {
    endMs: Math.min(before.endMs, news.endMs),
    own: Math.max(before.own, news.own),
    others: greaterCounts(before.others, news.others),
  };
}

/** The window after one more request at `nowMs`, decided by this gateway alone, and whether that request is admitted. */
export function takeFromWindow(
  known: HourWindow | undefined,
  nowMs: number,
  limit: number,
): { window: HourWindow; admitted: boolean } {
  const window = known && isOpen(known, nowMs) ? known : openWindow(nowMs);
  const admitted = usedIn(window) < limit;
  return { window: admitted ? { ...window, own: window.own + 1 } : window, admitted };
}

/** The decision about a request after which `used` requests of the window are admitted. */
export function decision(admitted: boolean, used: number, window: HourWindow, limit: number): HourlyDecision {
  return {
    admitted,
    remaining: Math.max(0, limit - used),
    resetUnixSeconds: Math.ceil(window.endMs / 1000),
  };
}

/** What the shared store says of one caller. */
export interface Grant {
  /** Its `own` counts the granted requests too. */
  window: HourWindow;
  /** How many of the requests that asked found room. */
  granted: number;
}

/**
 * Decides about `asked` requests of a caller by a grant and by what is known here; whichever counts more decides.
 * Requests admitted here that the store had not heard of when it granted are counted on top.
 */
export function decideGranted(
  known: HourWindow | undefined,
  grant: Grant,
  asked: number,
  limit: number,
  nowMs: number,
): { window: HourWindow; decisions: HourlyDecision[] } {
  const { granted } = grant;
  const heard = { ...grant.window, own: grant.window.own - granted };
  const before = joinWindows(known, heard, nowMs) ?? heard;
  const admitted = Math.max(0, Math.min(granted, limit - usedIn(before)));
  const window = { ...before, own: before.own + admitted };
  // What others were granted later may be known here already; what this grant left is told without it.
  const usedBefore = usedIn(heard) + before.own - heard.own;
  const decisions = Array.from({ length: asked }, (_, index) =>
    decision(index < admitted, usedBefore + Math.min(index + 1, granted), window, limit),
  );
  return { window, decisions };
}

function greaterCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const joined = new Map(a);
  for (const [gateway, count] of b) joined.set(gateway, Math.max(count, joined.get(gateway) ?? 0));
  return joined;
}
