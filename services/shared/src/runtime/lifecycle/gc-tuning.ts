import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How much the heap may grow, in percent, until the next full collection. By default, V8 lets a heap of about 50 MB grow by a
 * sixth. Its collector threads take CPU time from requests for about 100 ms. The cost is memory: up
 * to twice as much as is in use.
 */
const HEAP_GROWTH_PERCENT = 100;

/**
 * The space for new objects under load. V8 starts with 1 MB and enlarges it only when many objects survive a collection. Requests
 * leave few survivors, so it would stay small, and frequent collections would make a request 20 % more expensive. The flag for its
 * size has no effect on a running process.
 */
const NEW_SPACE_BYTES = 32 * 2 ** 20;
/** Objects that survive a collection. Making them takes about 4 ms. */
const SURVIVORS = 100_000;
const MAX_ROUNDS = 50;

const CHECK_INTERVAL_MS = 1_000;
/** The main thread's share of a core above which a process is busy. */
const BUSY_SHARE = 0.1;
/** Longer than a start takes. */
const BUSY_CHECKS = 3;
const IDLE_CHECKS_AFTER_START = 3;
/** Long, since each new load has to enlarge the space again. */
const IDLE_CHECKS_AFTER_LOAD = 600;

/**
 * Makes full garbage collections rare, for processes that every request depends on. All objects start as new ones. Under load, the
 * process gets a large space for them. Three seconds after its start, and ten minutes after a load, it returns memory that it doesn't
 * use to the system. Call it once, at startup.
 * @param checkIntervalMs for tests.
 */
export function relaxGarbageCollection(checkIntervalMs = CHECK_INTERVAL_MS): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Under heavy load, many objects of requests survive a collection. V8 would conclude that they live long, and allocate them among old
  // objects from then on: each keeps what it refers to until the next full collection, which costs more than the requests do.
  setFlagsFromString("--no-allocation-site-pretenuring");
  let isEnlarged = false;
  let hasCollected = false;
  /** Checks in a row at which the process was busy; below 0: at which it wasn't. */
  let streak = 0;
  let usedBefore = usedMicros();
  const check = () => {
    const used = usedMicros();
    const isBusy = used - usedBefore > BUSY_SHARE * checkIntervalMs * 1_000;
    usedBefore = used;
    streak = isBusy ? Math.max(streak, 0) + 1 : Math.min(streak, 0) - 1;
    if (streak === BUSY_CHECKS && !isEnlarged) {
      isEnlarged = true;
      enlargeNewSpace(MAX_ROUNDS);
    }
    const idleChecks = isEnlarged ? IDLE_CHECKS_AFTER_LOAD : IDLE_CHECKS_AFTER_START;
    if (streak === -idleChecks && (isEnlarged || !hasCollected)) {
      isEnlarged = false;
      hasCollected = true;
      collectAll();
    }
  };
  setInterval(check, checkIntervalMs).unref();
}

/** CPU time of this thread. */
function usedMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** In parts, between which requests are served. */
function enlargeNewSpace(rounds: number): void {
  const bytes = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
  if (rounds === 0 || bytes >= NEW_SPACE_BYTES) return;
  Array.from({ length: SURVIVORS }, (_, index) => ({ index }));
  setImmediate(enlargeNewSpace, rounds - 1);
}

/** V8 collects an idle process's garbage late or never. This takes about 20 ms. */
function collectAll(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
