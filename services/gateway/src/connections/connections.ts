import type { Socket } from "node:net";
import { askToClose, type Exchange } from "../request/exchange.ts";
import { type ClosedReason, type Connection, trackConnections } from "./connection.ts";
import { endConnection } from "./end-connection.ts";
import { type InputState, inputOf, type splitInput } from "./input.ts";
import type { NewConnections } from "./new-connections.ts";
import { watchSlowConnections } from "./slow-connections.ts";

/** Bytes of all connections that wait for earlier requests, relative to MAX_IN_FLIGHT. */
const MAX_WAITING_BYTES_RATIO = 16 * 1024;

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
  /** Starts a request now, or after the one before it and after new connections. */
  accept(exchange: Exchange): void;
  /** For `splitInput`. */
  readonly input: Parameters<typeof splitInput>[2];
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
 * Shares the gateway's capacity among its connections. A connection has one request at a time, and what else it has sent
 * waits. Then connections take turns: one request of each, then the next of each. If callers don't read, the connections that
 * made no progress for the longest time are closed until the others hold an eighth of MAX_IN_FLIGHT. See docs/security.md,
 * "Resource limits".
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
  const maxUnsent = Math.max(1, Math.floor(options.maxInFlight / UNSENT_SHARE));
  const maxWaitingBytes = MAX_WAITING_BYTES_RATIO * options.maxInFlight;
  let open = 0;
  let waitingBytes = 0;
  /** Since the next start of waiting requests was scheduled. */
  let startedWithoutWaiting = 0;
  let isDraining = false;
  /** Connections that start one more request in the next turns of the event loop, in this order. */
  const ready: Connection[] = [];
  let isScheduled = false;
  let isContinuing = false;

  const connections = trackConnections((connection) => {
    connection.waiting = [];
    connection.onResponded = null;
    if (connection.open) end(connection, connection.open);
  });
  const closeFor = (reason: ClosedReason, connection: Connection) => {
    options.onClosed(reason);
    connection.isClosing = true;
    connection.socket.destroy();
  };

  const start = (connection: Connection, exchange: Exchange) => {
    connection.open = exchange;
    open += 1;
    // Emitted once; `once` would remove the listener first, which costs more than the rest of this.
    exchange.res.on("close", () => end(connection, exchange));
    options.start(exchange);
  };
  const end = (connection: Connection, exchange: Exchange) => {
    if (connection.open !== exchange) return;
    connection.open = null;
    open -= 1;
    options.end(exchange);
    continueSoon(connection);
    if (connection.onResponded !== null) runOnResponded(connection);
  };
  const hasInput = (socket: Socket) => (inputOf(socket)?.waitingBytes() ?? 0) > 0;
  const mayContinue = ({ open, waiting, socket }: Connection) =>
    open === null && (waiting.length > 0 || hasInput(socket)) && socket.writableLength <= MAX_UNSENT_BYTES;
  const continueSoon = (connection: Connection) => {
    if (connection.isReady || !mayContinue(connection)) return;
    connection.isReady = true;
    ready.push(connection);
    continueInNextTurn();
  };
  const continueInNextTurn = () => {
    if (isScheduled || ready.length === 0) return;
    isScheduled = true;
    startedWithoutWaiting = 0;
    if (options.newConnections.comeFirst()) options.newConnections.whenAccepted(continueSome);
    else setImmediate(continueSome);
  };
  const continueSome = () => {
    isScheduled = false;
    isContinuing = true;
    const most = Math.max(MIN_STARTED_PER_TURN, startedWithoutWaiting);
    for (let count = 0; count < most && ready.length > 0; count += 1) {
      if (count > 0 && options.newConnections.comeFirst()) break;
      const connection = ready.shift() as Connection;
      connection.isReady = false;
      // It may have closed, or written a lot, in the meantime.
      if (!connection.socket.destroyed && mayContinue(connection)) continueOne(connection);
    }
    isContinuing = false;
    continueInNextTurn();
  };
  const continueOne = (connection: Connection) => {
    const next = connection.waiting.shift();
    if (next) start(connection, next);
    inputOf(connection.socket)?.parse();
  };
  const runOnResponded = (connection: Connection) => {
    if (connection.open || connection.waiting.length > 0) return;
    const { onResponded } = connection;
    connection.onResponded = null;
    onResponded?.();
  };

  const whenResponded = (connection: Connection, action: () => void) => {
    connection.onResponded = action;
    runOnResponded(connection);
  };

  const unsent = () => Math.max(0, open - options.working());
  const slow = watchSlowConnections({
    all: connections.all,
    unsent,
    isTooMuch: (held) => held > maxUnsent || waitingBytes > maxWaitingBytes / 2,
    close: closeFor,
    checkIntervalMs: options.checkIntervalMs,
  });

  /** Drops the input of a connection. Requests accepted before still get responses: they may have been counted. */
  const endAfterLast = (connection: Connection) => {
    options.onClosed("pipelined");
    connection.isClosing = true;
    whenResponded(connection, () => endConnection(connection.socket));
  };
  const announceEnd = (connection: Connection) => {
    if (hasInput(connection.socket)) return;
    const newest = connection.waiting.at(-1) ?? connection.open;
    if (!newest) return;
    askToClose(newest);
    connection.isClosing = true;
  };
  const stateOf = (socket: Socket): InputState => {
    const { open, waiting, isClosing, onResponded } = connections.of(socket);
    if (waiting.length > 0) return "wait";
    // The rest of its body.
    if (open && onResponded === null && !open.req.complete) return "parse";
    if (isClosing) return "drop";
    return open || onResponded ? "wait" : "parse";
  };
  const onWaiting = (socket: Socket, bytes: number) => {
    waitingBytes += bytes;
    if (waitingBytes > maxWaitingBytes / 2) slow.checkSoon();
    if (bytes > 0 && waitingBytes > maxWaitingBytes) endAfterLast(connections.of(socket));
  };
  return {
    input: { stateOf, onWaiting },
    accept: (exchange) => {
      options.onRequest();
      const { socket } = exchange.req;
      const connection = connections.of(socket);
      if (connection.isClosing) return;
      const isLast = isDraining && !hasInput(socket);
      // Its response closes the connection, so a later request would be counted without a response.
      connection.isClosing = isLast || exchange.unreadable !== null || !exchange.res.shouldKeepAlive;
      if (isLast) askToClose(exchange);
      const isFirst = connection.open === null && connection.waiting.length === 0;
      if (isFirst && (isContinuing || !options.newConnections.comeFirst())) {
        if (!isContinuing) startedWithoutWaiting += 1;
        return start(connection, exchange);
      }
      connection.waiting.push(exchange);
      if (isFirst) options.newConnections.whenAccepted(() => continueSoon(connection));
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
