import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * How much the heap may grow, in percent, until V8 looks through all of it again. By itself V8 lets a heap of some 50 MB
 * grow by a sixth. It looks with threads of its own, which for some 100 ms take the processor from whoever answers:
 * docs/performance.md, "Half load". The price is memory: as much again as is in use.
 */
const HEAP_GROWTH_PERCENT = 100;

/**
 * The space for new objects. V8 begins with 1 MB and enlarges it only when many objects survive a collection. Requests leave
 * few survivors, so it would stay small, and collections would be frequent: a request costs a fifth more. The flag that sets
 * its size has no effect on a running process.
 */
const NEW_SPACE_BYTES = 32 * 2 ** 20;
const SURVIVORS = 100_000;
const MAX_ROUNDS = 50;

/** Has this process collect everything seldom: for those that every request waits for. To be called at its start. */
export function relaxGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  for (let round = 0; round < MAX_ROUNDS && newSpaceBytes() < NEW_SPACE_BYTES; round += 1)
    Array.from({ length: SURVIVORS }, (_, index) => ({ index }));
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
