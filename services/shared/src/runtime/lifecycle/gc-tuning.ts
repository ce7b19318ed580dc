import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * How much the heap may grow, in percent, until the next full collection. By default, V8 lets a heap of about 50 MB grow by a
 * sixth. Its collector threads take CPU time from requests for about 100 ms: docs/profiling.md, "Half load". The cost is memory: up
 * to twice as much as is in use.
 */
const HEAP_GROWTH_PERCENT = 100;

/**
 * The space for new objects. V8 starts with 1 MB and enlarges it only when many objects survive a collection. Requests leave few
 * survivors, so it would stay small, and frequent collections would make a request 20 % more expensive. The flag for its size has no
 * effect on a running process.
 */
const NEW_SPACE_BYTES = 32 * 2 ** 20;
const SURVIVORS = 100_000;
const MAX_ROUNDS = 50;

/** Makes full garbage collections rare, for processes that every request depends on. Call it at startup. */
export function relaxGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  for (let round = 0; round < MAX_ROUNDS && newSpaceBytes() < NEW_SPACE_BYTES; round += 1)
    Array.from({ length: SURVIVORS }, (_, index) => ({ index }));
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
