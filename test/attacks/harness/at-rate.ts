import { setTimeout as delay } from "node:timers/promises";

const TICK_MS = 10;
/** If a busy machine falls behind, it catches up on at most this much, so that no burst follows. */
const MAX_LATE_MS = 100;

/**
 * Calls `act` at a steady rate, in ticks of 10 ms, until the signal aborts.
 * @param act takes the number of earlier calls.
 */
export async function atRate(perSecond: number, signal: AbortSignal, act: (turn: number) => void): Promise<void> {
  let due = 0;
  let turn = 0;
  for (let beforeMs = performance.now(); await pause(TICK_MS, signal); ) {
    const nowMs = performance.now();
    due += (Math.min(nowMs - beforeMs, MAX_LATE_MS) * perSecond) / 1_000;
    beforeMs = nowMs;
    for (; due >= 1; due -= 1) act(turn++);
  }
}

/** Waits, at most until the signal aborts. @returns false if it has. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  await delay(durationMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
