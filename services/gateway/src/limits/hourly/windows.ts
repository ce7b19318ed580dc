import { HOUR_MS, type HourlyDecision } from "./hourly-limit.ts";

/** A window that ends more than an hour and this long from now was opened before the clock was set back. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * A caller's hour as one gateway knows it. Counts of a gateway only rise, so two versions of an hour are merged by taking the
 * greater count of each gateway. Repeated, late or reordered updates make no difference.
 */
export interface HourWindow {
  readonly endMs: number;
  /** Requests that this gateway admitted. */
  readonly own: number;
  /** Requests that other gateways admitted, by gateway. */
  readonly peers: ReadonlyMap<string, number>;
}

/** Shared by all windows without peers, to save memory. */
export const NO_PEERS: ReadonlyMap<string, number> = new Map();

export function openWindow(nowMs: number): HourWindow {
  return { endMs: nowMs + HOUR_MS, own: 0, peers: NO_PEERS };
}

export function isOpen({ endMs }: HourWindow, nowMs: number): boolean {
  return nowMs < endMs && endMs <= nowMs + HOUR_MS + CLOCK_SLACK_MS;
}

/** Requests admitted in the hour, by all gateways. */
export function usedIn(window: HourWindow): number {
  let used = window.own;
  for (const count of window.peers.values()) used += count;
  return used;
}

/**
 * Merges two versions of a caller's hour. The earlier end is correct: the hour started at the first request at any gateway.
 * Windows that have ended are ignored.
 * @returns undefined if neither is open at `nowMs`.
 */
export function mergeWindows(
  known: HourWindow | undefined,
  received: HourWindow | undefined,
  nowMs: number,
): HourWindow | undefined {
  const before = known && isOpen(known, nowMs) ? known : undefined;
  const update = received && isOpen(received, nowMs) ? received : undefined;
  if (!before || !update) return before ?? update;
  return {
    endMs: Math.min(before.endMs, update.endMs),
    own: Math.max(before.own, update.own),
    peers: greaterCounts(before.peers, update.peers),
  };
}

/** A decision after which `used` requests of the window are admitted. */
export function decision(admitted: boolean, used: number, window: HourWindow, limit: number): HourlyDecision {
  return {
    admitted,
    remaining: Math.max(0, limit - used),
    resetUnixSeconds: Math.ceil(window.endMs / 1000),
  };
}

/** The shared store's decision on the requests of one caller. */
export interface StoreDecision {
  /** Its `own` includes the granted requests. */
  window: HourWindow;
  /** How many of the requests the store admitted. */
  granted: number;
}

/**
 * Decides on `requested` requests of a caller by the store's decision and the known window, whichever counts more. Requests
 * that were admitted here and that the store didn't know are added.
 * @param request.isStoreBehind whether the store may lack earlier counts of other gateways. Otherwise, those that only the known window
 * has are of later requests.
 */
export function decideWithStore(
  known: HourWindow | undefined,
  decided: StoreDecision,
  {
    requested,
    limit,
    nowMs,
    isStoreBehind,
  }: { requested: number; limit: number; nowMs: number; isStoreBehind: boolean },
): { window: HourWindow; decisions: HourlyDecision[] } {
  const { granted } = decided;
  const stored = { ...decided.window, own: decided.window.own - granted };
  const before = mergeWindows(known, stored, nowMs) ?? stored;
  const admitted = Math.max(0, Math.min(granted, limit - usedIn(before)));
  const window = { ...before, own: before.own + admitted };
  // Peers' later requests don't reduce what these requests report as remaining.
  const usedBefore = isStoreBehind ? usedIn(before) : usedIn(stored) + before.own - stored.own;
  const decisions: HourlyDecision[] = [];
  for (let index = 0; index < requested; index += 1)
    decisions.push(decision(index < admitted, usedBefore + Math.min(index + 1, granted), window, limit));
  return { window, decisions };
}

function greaterCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const greater = new Map(a);
  for (const [gateway, count] of b) greater.set(gateway, Math.max(count, greater.get(gateway) ?? 0));
  return greater;
}

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
