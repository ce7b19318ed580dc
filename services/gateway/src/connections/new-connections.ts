import type { EventEmitter } from "node:events";

/** Requests of one turn of the event loop that are served although connections wait to be accepted, and for how long. */
const MAX_SERVED_PER_TURN = 64;
const MAX_SERVING_MS = 2;

/** How long accepting may delay requests, from the end of the turn in which they came. After that, requests have at least as much time. */
const MAX_ACCEPTING_MS = 100;

export interface NewConnections {
  /** Call for every request. @returns whether it should wait for new connections: then call `whenAccepted`. */
  comeFirst(): boolean;
  /** Runs `start` once no connection waits to be accepted, or after 100 ms. */
  whenAccepted(start: () => void): void;
  /** Requests that wait for new connections. */
  held(): number;
}

/**
 * Keeps busy connections from locking out new ones. libuv accepts one connection each time it polls
 * (https://github.com/libuv/libuv/pull/3696), and between two polls reads every connection that has sent something. At full
 * load with thousands of connections, it would accept a few dozen per second, and in a process that has just started, one. So when a
 * busy turn of the event loop brings a new connection, further requests wait: the loop turns quickly and accepts all connections
 * that wait, hundreds or thousands per second.
 * @param server emits `connection`.
 * @param afterTurn runs a function once the current turn of the event loop is over.
 */
export function watchNewConnections(
  server: EventEmitter,
  nowMs: () => number = () => performance.now(),
  afterTurn: (run: () => void) => void = setImmediate,
): NewConnections {
  let served = 0;
  let servedSinceMs = 0;
  let hasAccepted = false;
  /** During turns that bring a connection, and the turns after them. */
  let isTurnWatched = false;
  let held: (() => void)[] = [];
  /** Since the end of the turn in which requests began to wait: it may have been long. */
  let acceptingSinceMs: number | null = null;
  let notBeforeMs = 0;

  const watchTurn = () => {
    if (isTurnWatched) return;
    isTurnWatched = true;
    afterTurn(endTurn);
  };
  const endTurn = () => {
    isTurnWatched = false;
    served = 0;
    const mayWait = hasAccepted;
    hasAccepted = false;
    // In the turn of a connection, requests may have come before it. So the next turn counts, too.
    if (mayWait) watchTurn();
    if (held.length === 0) return;
    const now = nowMs();
    acceptingSinceMs ??= now;
    const acceptingMs = now - acceptingSinceMs;
    if (mayWait && acceptingMs < MAX_ACCEPTING_MS) return;
    notBeforeMs = now + acceptingMs;
    acceptingSinceMs = null;
    const starts = held;
    held = [];
    for (const start of starts) start();
  };
  server.on("connection", () => {
    hasAccepted = true;
    watchTurn();
  });
  return {
    comeFirst: () => {
      if (held.length > 0) return true;
      if (!isTurnWatched) return false;
      const now = nowMs();
      if (served === 0) servedSinceMs = now;
      served += 1;
      const isEnough = served > MAX_SERVED_PER_TURN || now - servedSinceMs > MAX_SERVING_MS;
      return isEnough && now >= notBeforeMs;
    },
    whenAccepted: (start) => {
      held.push(start);
    },
    held: () => held.length,
  };
}
