import { setFlagsFromString } from "node:v8";

/**
 * How much the heap may grow, in percent, until V8 looks through all of it again. By itself V8 lets a heap of some 50 MB
 * grow by a sixth. It looks with threads of its own, which for some 100 ms take the processor from whoever answers:
 * docs/performance.md, "Half load". The price is memory: as much again as is in use.
 */
const HEAP_GROWTH_PERCENT = 100;

/** Has this process collect everything seldom: for those that every request waits for. To be called at its start. */
export function collectSeldom(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
