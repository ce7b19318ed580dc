import type { EventEmitter } from "node:events";

/** How long requests may start in one turn of the event loop, and in one that has accepted a connection. */
const MAX_TURN_MS = 10;
const MAX_ACCEPTING_TURN_MS = 2;

/** How many waiting requests start in a turn however long they take: a process may have to wait for the processor meanwhile. */
const MIN_STARTED = 16;

/** How long accepting connections may delay requests. After that, requests have at least as much time. */
const MAX_ACCEPTING_MS = 100;

export interface Turns<Connection> {
  /** Whether no further request starts in this turn. */
  isOver(): boolean;
  /**
   * Gives a connection its turn, after those that wait already. Connections whose requests have just arrived alternate with
   * those that continue, so that one request doesn't wait behind all that were sent ahead.
   */
  wait(connection: Connection, continues: boolean): void;
}

/**
 * Keeps turns of the event loop short, and lets connections take turns. In one turn, libuv reads every connection that has sent
 * something, and accepts a single new one (https://github.com/libuv/libuv/pull/3696). With thousands of busy connections, turns could
 * last for seconds, during which no timer runs, and would lock out new connections. So only some requests start in one turn; further
 * connections wait in line, unparsed. If a turn has accepted a connection, the line waits, too: the loop turns quickly and
 * accepts all connections that wait, thousands per second.
 * @param server emits `connection`.
 * @param start takes a connection whose turn it is.
 * @param afterTurn runs a function once the current turn of the event loop is over.
 */
export function createTurns<Connection>(
  server: EventEmitter,
  start: (connection: Connection) => void,
  nowMs: () => number = () => performance.now(),
  afterTurn: (run: () => void) => void = setImmediate,
): Turns<Connection> {
  const arrived: Connection[] = [];
  const continued: Connection[] = [];
  /** When the first request of this turn started. */
  let startedMs: number | null = null;
  let hasAccepted = false;
  /** Since when the line waits for new connections; null: it doesn't. Then when it may do so again. */
  let acceptingSinceMs: number | null = null;
  let notBeforeMs = 0;
  let isEndScheduled = false;

  const scheduleEnd = () => {
    if (!isEndScheduled) afterTurn(endTurn);
    isEndScheduled = true;
  };
  const isOver = () => {
    scheduleEnd();
    if (acceptingSinceMs !== null) return true;
    const now = nowMs();
    startedMs ??= now;
    return now - startedMs > (hasAccepted ? MAX_ACCEPTING_TURN_MS : MAX_TURN_MS);
  };
  const waiting = () => arrived.length + continued.length;
  const letNewConnectionsPass = () => {
    const now = nowMs();
    if (hasAccepted && waiting() > 0 && now >= notBeforeMs) acceptingSinceMs ??= now;
    if (acceptingSinceMs === null) return false;
    const acceptingMs = now - acceptingSinceMs;
    if (hasAccepted && acceptingMs < MAX_ACCEPTING_MS) return true;
    notBeforeMs = now + acceptingMs;
    acceptingSinceMs = null;
    return false;
  };
  const endTurn = async () => {
    isEndScheduled = false;
    startedMs = null;
    const isAccepting = letNewConnectionsPass();
    hasAccepted = false;
    if (waiting() > 0) scheduleEnd();
    if (isAccepting) return;
    // Those that begin to wait meanwhile come in the next turn.
    const most = waiting();
    if (most > 0) startedMs = nowMs();
    for (let started = 0; started < most && (started < MIN_STARTED || !isOver()); started += 1) {
      const [first, second] = started % 2 === 0 ? [arrived, continued] : [continued, arrived];
      start((first.shift() ?? second.shift()) as Connection);
      // What it does without waiting counts, too.
      await null;
    }
  };
  server.on("connection", () => {
    hasAccepted = true;
    scheduleEnd();
  });
  return {
    isOver,
    wait: (connection, continues) => {
      (continues ? continued : arrived).push(connection);
      scheduleEnd();
    },
  };
}
