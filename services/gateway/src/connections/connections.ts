import type { Socket } from "node:net";
import { askToClose, type Exchange } from "../request/exchange.ts";
import { type ClosedReason, type Connection, trackConnections } from "./connection.ts";
import { endConnection } from "./end-connection.ts";
import type { NewConnections } from "./new-connections.ts";
import { watchSlowConnections } from "./slow-connections.ts";

/** Requests of one connection that are served at the same time. */
export const MAX_OPEN_PER_CONNECTION = 8;

/** Requests of one connection that wait for earlier ones. Clients that pipeline send about ten. */
export const MAX_WAITING_PER_CONNECTION = 100;

/** Waiting requests of all connections, relative to MAX_IN_FLIGHT. */
const MAX_WAITING_RATIO = 2;

/**
 * How many waiting requests start in one turn of the event loop. With thousands of connections that pipeline, turns must stay short: each
 * accepts only one new connection (new-connections.ts). If more requests start without waiting, as many waiting ones do, so that their
 * connections get the same share of a busy gateway.
 */
export const MIN_STARTED_PER_TURN = 32;

/** A connection with more unsent output than this starts no further request. */
const MAX_UNSENT_BYTES = 16 * 1024;

/** Connections with unsent output hold at most 1/8 of MAX_IN_FLIGHT. */
const UNSENT_SHARE = 8;

export interface Connections {
  /** Starts a request now, or when its connection has capacity for it. */
  accept(exchange: Exchange): void;
  /** Call after a response has been written: checks soon whether callers read what is sent to them. */
  checkUnsent(): void;
  connectionOf(socket: Socket): Connection;
  /** Runs `action` once all responses on the connection so far are sent; never if the connection breaks first. */
  whenResponded(connection: Connection, action: () => void): void;
  /** Like `whenResponded`, and no further request of the connection is served. */
  afterLast(connection: Connection, action: () => void): void;
  /** From now on the newest response of every connection closes it. */
  drain(): void;
  /** Responses that are written and not yet sent to the last byte. */
  unsent(): number;
  /** Stops watching connections. */
  [Symbol.dispose](): void;
}

/**
 * Shares the gateway's capacity among its connections. A connection has at most 8 open requests and 100 waiting ones, and
 * starts none while more than 16 kB of its output are unsent. Waiting requests take turns: one of each connection, then the
 * next of each. If callers don't read, the connections that made no progress for the longest time are closed
 * until the others hold an eighth of MAX_IN_FLIGHT. See docs/security.md, "Resource limits".
 * @param options.start serves a request.
 * @param options.end takes a request whose response was sent, or whose connection has closed.
 * @param options.newConnections decides which requests wait until new connections are accepted.
 * @param options.onRequest called for each request.
 * @param options.working the number of requests in progress, whose responses are not written yet.
 * @param options.maxInFlight MAX_IN_FLIGHT.
 * @param options.onClosed takes the reason for every connection that is closed here.
 * @param options.checkIntervalMs for tests: milliseconds between two checks for progress.
 */
export function createConnections(options: {
  start: (exchange: Exchange) => void;
  end: (exchange: Exchange) => void;
  newConnections: NewConnections;
  onRequest: () => void;
  working: () => number;
  maxInFlight: number;
  onClosed: (reason: ClosedReason) => void;
  checkIntervalMs?: number | undefined;
}): Connections {
  const maxUnsent = Math.max(MAX_OPEN_PER_CONNECTION, Math.floor(options.maxInFlight / UNSENT_SHARE));
  const maxWaiting = Math.max(MAX_WAITING_PER_CONNECTION, MAX_WAITING_RATIO * options.maxInFlight);
  let open = 0;
  let waiting = 0;
  /** Since the next start of waiting requests was scheduled. */
  let startedWithoutWaiting = 0;
  let isDraining = false;
  /** Connections that start one more request in the next turns of the event loop, in this order. */
  const ready: Connection[] = [];
  let isStarting = false;

  const connections = trackConnections((connection) => {
    waiting -= connection.waiting.length;
    connection.waiting = [];
    connection.onResponded = null;
    // Node emits no "close" for a response that waits behind another one on its connection.
    for (const exchange of [...connection.open]) end(connection, exchange);
  });
  const closeFor = (reason: ClosedReason, connection: Connection) => {
    options.onClosed(reason);
    connection.isClosing = true;
    connection.socket.destroy();
  };

  const hasCapacity = ({ open, socket }: Connection) =>
    open.length < MAX_OPEN_PER_CONNECTION && socket.writableLength <= MAX_UNSENT_BYTES;
  const start = (connection: Connection, exchange: Exchange) => {
    connection.open.push(exchange);
    open += 1;
    // Emitted once; `once` would remove the listener first, which costs more than the rest of this.
    exchange.res.on("close", () => end(connection, exchange));
    options.start(exchange);
  };
  const end = (connection: Connection, exchange: Exchange) => {
    const index = connection.open.indexOf(exchange);
    if (index === -1) return;
    connection.open.splice(index, 1);
    open -= 1;
    options.end(exchange);
    startSoon(connection);
    if (connection.onResponded !== null) runOnResponded(connection);
  };
  const startSoon = (connection: Connection) => {
    if (connection.isReady || connection.waiting.length === 0 || !hasCapacity(connection)) return;
    connection.isReady = true;
    ready.push(connection);
    startInNextTurn();
  };
  const startInNextTurn = () => {
    if (isStarting || ready.length === 0) return;
    isStarting = true;
    startedWithoutWaiting = 0;
    if (options.newConnections.comeFirst()) options.newConnections.whenAccepted(startSome);
    else setImmediate(startSome);
  };
  const startSome = () => {
    isStarting = false;
    for (const connection of ready.splice(0, Math.max(MIN_STARTED_PER_TURN, startedWithoutWaiting))) {
      connection.isReady = false;
      // It may have closed, or written a lot, in the meantime.
      if (connection.waiting.length === 0 || !hasCapacity(connection)) continue;
      waiting -= 1;
      start(connection, connection.waiting.shift() as Exchange);
      if (connection.waiting.length > 0) startSoon(connection);
      // Otherwise `onResponded` decides what happens to the rest of the input.
      else if (connection.onResponded === null) connection.socket.resume();
    }
    startInNextTurn();
  };
  const runOnResponded = (connection: Connection) => {
    if (connection.open.length > 0 || connection.waiting.length > 0) return;
    const { onResponded } = connection;
    connection.onResponded = null;
    onResponded?.();
  };

  const whenResponded = (connection: Connection, action: () => void) => {
    connection.onResponded = action;
    runOnResponded(connection);
  };

  const unsent = () => Math.max(0, open - options.working());
  /** Requests that wait for earlier ones of their connection. */
  const queued = () => waiting - options.newConnections.held();
  const wait = (connection: Connection, exchange: Exchange) => {
    connection.waiting.push(exchange);
    waiting += 1;
    connection.socket.pause();
  };
  const slow = watchSlowConnections({
    all: connections.all,
    unsent,
    isTooMuch: (held) => held > maxUnsent || queued() > options.maxInFlight,
    close: closeFor,
    checkIntervalMs: options.checkIntervalMs,
  });

  /** Drops the excess requests of a connection. Requests accepted before still get responses: they may have been counted. */
  const endAfterLast = (connection: Connection) => {
    options.onClosed("pipelined");
    connection.isClosing = true;
    whenResponded(connection, () => endConnection(connection.socket));
  };
  const announceEnd = (connection: Connection) => {
    const newest = connection.waiting.at(-1) ?? connection.open.at(-1);
    if (!newest) return;
    askToClose(newest);
    connection.isClosing = true;
  };
  return {
    accept: (exchange) => {
      options.onRequest();
      const connection = connections.of(exchange.req.socket);
      if (connection.isClosing) return;
      // Its response closes the connection, so a later request would be counted without a response.
      connection.isClosing = isDraining || exchange.unreadable !== null || !exchange.res.shouldKeepAlive;
      if (isDraining) askToClose(exchange);
      if (connection.open.length === 0 && connection.waiting.length === 0) {
        if (!options.newConnections.comeFirst()) {
          startedWithoutWaiting += 1;
          return start(connection, exchange);
        }
        wait(connection, exchange);
        return options.newConnections.whenAccepted(() => startSoon(connection));
      }
      if (connection.waiting.length === MAX_WAITING_PER_CONNECTION || queued() >= maxWaiting)
        return endAfterLast(connection);
      wait(connection, exchange);
      startSoon(connection);
      if (queued() > options.maxInFlight) slow.checkSoon();
    },
    checkUnsent: () => {
      if (unsent() > maxUnsent) slow.checkSoon();
    },
    connectionOf: connections.of,
    whenResponded,
    afterLast: (connection, action) => {
      connection.isClosing = true;
      whenResponded(connection, action);
    },
    drain: () => {
      isDraining = true;
      for (const connection of connections.all()) announceEnd(connection);
    },
    unsent,
    [Symbol.dispose]: slow[Symbol.dispose],
  };
}
