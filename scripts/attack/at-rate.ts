import { setTimeout as delay } from "node:timers/promises";

const TICK_MS = 10;
/** What a busy machine has kept from being done is not done all at once later. */
const MAX_LATE_MS = 100;

/**
 * Calls `act` so many times a second, spread evenly over ticks of 10 ms, until the signal.
 * @param act is given how often it was called before.
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

/** Waits so long, or until the signal. @returns false once the signal has come. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  await delay(durationMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
