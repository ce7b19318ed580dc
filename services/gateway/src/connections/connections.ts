import { IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { createFastPath } from "../fast-path/fast-path.ts";
import { askToClose, type Exchange, type RequestHead, type ResponseWriter } from "../request/exchange.ts";
import { type ClosedReason, type Connection, endConnection, newConnection } from "./connection.ts";
import { watchSlowConnections } from "./slow-connections.ts";
import { createTurns } from "./turns.ts";

/** Bytes of all connections that wait for earlier requests, relative to MAX_IN_FLIGHT. */
const MAX_WAITING_BYTES_RATIO = 16 * 1024;

/** Connections with unsent output hold at most 1/8 of MAX_IN_FLIGHT. */
const UNSENT_SHARE = 8;

const END_OF_HEADERS = "\r\n\r\n";

export interface Connections {
  /** Takes a request, and starts it now, or after the one before it. */
  accept(exchange: Exchange): void;
  /** Undefined if the connection has closed, or has never been accepted. */
  of(socket: Socket): Connection | undefined;
  /** Runs `action` once all responses on the connection so far are sent; never if the connection breaks first. */
  whenResponded(connection: Connection, action: () => void): void;
  /** Like `whenResponded`, and no further request of the connection is served. */
  afterLast(connection: Connection, action: () => void): void;
  /** Has Node's server, to which the connection was just given again, parse these bytes before all others. */
  parseAgain(connection: Connection, bytes: Buffer): void;
  /** From now on the last pending response on each connection closes it. */
  drain(): void;
  /** Responses that are written and not yet sent to the last byte. */
  unsent(): number;
  /** Stops watching connections. */
  [Symbol.dispose](): void;
}

/**
 * Shares the gateway's capacity among its connections. A connection has one request at a time, and what else it has sent
 * waits, unparsed: one read may return 1,800 requests, which take more than 20 ms to parse. Connections take turns: one request of
 * each, then the next of each (turns.ts). If callers don't read, the connections that made no progress for the longest time are closed
 * until the others hold an eighth of MAX_IN_FLIGHT. See docs/security.md, "Resource limits".
 * @param event emitted by the server for each connection. Its first listener is Node's, which gets its input from here.
 * @param options.acceptFast makes the exchange of a request of the fast path; null leaves it to Node. Default: there is no fast path.
 * @param options.serve serves a request, and resolves once its response is written. Never rejects.
 * @param options.sent takes a request whose response was sent, or whose connection has closed.
 * @param options.maxInFlight MAX_IN_FLIGHT.
 * @param options.onClosed takes the reason for every connection that is closed here.
 * @param options.checkIntervalMs for tests: milliseconds between two checks for progress.
 */
export function createConnections(
  server: Server,
  event: "connection" | "secureConnection",
  options: {
    serve: (exchange: Exchange) => Promise<void>;
    sent: (exchange: Exchange) => void;
    maxInFlight: number;
    onClosed: (reason: ClosedReason) => void;
    acceptFast?: ((req: RequestHead, res: ResponseWriter) => Exchange | null) | null;
    checkIntervalMs?: number | undefined;
  },
): Connections {
  const maxUnsent = Math.max(1, Math.floor(options.maxInFlight / UNSENT_SHARE));
  const maxWaitingBytes = MAX_WAITING_BYTES_RATIO * options.maxInFlight;
  const all = new Map<Socket, Connection>();
  /** Open requests whose responses are written. */
  let unsent = 0;
  let waitingBytes = 0;
  let isDraining = false;

  const start = (connection: Connection, exchange: Exchange) => {
    connection.open = exchange;
    connection.isWritten = false;
    // Emitted once; `once` would remove the listener first, which costs more than the rest of this.
    exchange.res.on("close", () => end(connection, exchange));
    void serve(connection, exchange);
  };
  const serve = async (connection: Connection, exchange: Exchange) => {
    await options.serve(exchange);
    if (connection.open !== exchange) return;
    connection.isWritten = true;
    unsent += 1;
    // Whether callers read what is sent to them.
    if (unsent > maxUnsent) slow.checkSoon();
  };
  const end = (connection: Connection, exchange: Exchange) => {
    if (connection.open !== exchange) return;
    connection.open = null;
    if (connection.isWritten) unsent -= 1;
    if (connection.incomplete?.complete) connection.incomplete = null;
    options.sent(exchange);
    if (connection.isFast) sentFast(connection);
    runOnResponded(connection);
    if (connection.next !== null || connection.rest !== null) waitInLine(connection, true);
  };
  const sentFast = (connection: Connection) => {
    connection.idleSinceMs = performance.now();
    const { socket, isClosing, onResponded } = connection;
    if (isClosing && onResponded === null && socket.writable) endConnection(socket);
  };
  const waitInLine = (connection: Connection, continues: boolean) => {
    if (connection.isInLine) return;
    connection.isInLine = true;
    turns.wait(connection, continues);
  };
  const turns = createTurns(server, (connection: Connection) => {
    connection.isInLine = false;
    const { next } = connection;
    connection.next = null;
    if (next !== null) start(connection, next);
    parse(connection, next === null);
  });

  /** Has Node parse what a connection has sent, up to the headers of the next request. @param isItsTurn or in the next turn. */
  const parse = (connection: Connection, isItsTurn = false) => {
    if (connection.isParsing || connection.isInLine) return;
    connection.isParsing = true;
    let mayStart = isItsTurn;
    while (connection.rest !== null) {
      const state = stateOf(connection);
      if (state === "drop") setRest(connection, null);
      if (state === "drop" || state === "wait") break;
      if (state === "start" && !mayStart && turns.isOver()) {
        waitInLine(connection, false);
        break;
      }
      mayStart = false;
      const piece = takePiece(connection, connection.rest);
      const exchange = connection.isFast ? fastPath?.read(connection, piece) : null;
      if (exchange) {
        accept(connection, exchange);
        continue;
      }
      if (connection.isFast) giveToNode(connection);
      connection.parse(piece);
    }
    connection.isParsing = false;
    const { socket } = connection;
    if (connection.rest !== null) {
      // One that waits in line has usually sent a single request.
      if (!connection.isInLine) socket.pause();
      return;
    }
    if (socket.isPaused()) socket.resume();
    if (!connection.hasEnded) return;
    connection.hasEnded = false;
    connection.parseEnd();
  };
  const stateOf = ({ socket, open, next, incomplete, isClosing, onResponded }: Connection) => {
    if (socket.destroyed) return "drop";
    if (next !== null) return "wait";
    if (open !== null && onResponded === null && incomplete?.complete === false) return "body";
    if (isClosing) return "drop";
    return open !== null || onResponded !== null ? "wait" : "start";
  };
  /** Up to the first empty line, which ends the headers of a request, or is in its body. */
  const takePiece = (connection: Connection, input: Buffer) => {
    const at = input.indexOf(END_OF_HEADERS);
    const end = at === -1 ? input.length : at + END_OF_HEADERS.length;
    setRest(connection, end === input.length ? null : input.subarray(end));
    return end === input.length ? input : input.subarray(0, end);
  };
  const setRest = (connection: Connection, rest: Buffer | null) => {
    waitingBytes += (rest?.length ?? 0) - (connection.rest?.length ?? 0);
    connection.rest = rest;
  };
  const receive = (connection: Connection, input: Buffer) => {
    const { rest, isLast } = connection;
    if (isLast) return;
    setRest(connection, rest === null ? input : Buffer.concat([rest, input]));
    parse(connection);
    if (rest !== null && connection.rest !== null) connection.socket.pause();
    if (waitingBytes <= maxWaitingBytes / 2) return;
    slow.checkSoon();
    if (waitingBytes > maxWaitingBytes && connection.rest !== null) dropWaiting(connection, connection.rest);
  };
  /** A request that is open, or comes next in line, still gets its response. */
  const dropWaiting = (connection: Connection, rest: Buffer) => {
    options.onClosed("pipelined");
    const end = connection.open === null ? rest.indexOf(END_OF_HEADERS) : -1;
    connection.isLast = end !== -1;
    setRest(connection, connection.isLast ? Buffer.from(rest.subarray(0, end + END_OF_HEADERS.length)) : null);
    if (!connection.isLast) afterLast(connection, () => endConnection(connection.socket));
    connection.socket.resume();
  };
  const accepted = (socket: Socket) => {
    const connection = newConnection(socket, fastPath !== null);
    all.set(socket, connection);
    connection.receive = (input) => receive(connection, input);
    connection.parseEnd = () => endFast(connection);
    socket.on("data", connection.receive);
    socket.on("error", () => {});
    // Also emitted while the connection is paused.
    socket.on("end", () => {
      connection.hasEnded = true;
      parse(connection);
    });
    socket.once("close", () => {
      all.delete(socket);
      setRest(connection, null);
      connection.next = null;
      connection.onResponded = null;
      if (connection.open !== null) end(connection, connection.open);
    });
    return connection;
  };
  const [nodeListener] = server.listeners(event) as ((this: Server, socket: Socket) => void)[];
  if (!nodeListener) throw new Error(`the server has no listener for ${event}`);
  server.off(event, nodeListener);
  const giveToNode = (connection: Connection) => {
    const { socket } = connection;
    connection.isFast = false;
    nodeListener.call(server, socket);
    const [parse, parseEnd] = (["data", "end"] as const).map((name) => {
      const listener = socket.listeners(name).at(-1) as () => void;
      socket.off(name, listener);
      return listener;
    }) as [Connection["parse"], () => void];
    Object.assign(connection, { parse, parseEnd, hasEnded: socket.readableEnded });
    // A listener that is added after Node's also makes Node stop reading the system's socket directly.
    socket.off("data", connection.receive).on("data", connection.receive);
  };
  server.on(event, (socket: Socket) => {
    // A connection whose upgrade was ignored is emitted again (upgrade.ts).
    const known = all.get(socket);
    const connection = known ?? accepted(socket);
    if (known || !connection.isFast) giveToNode(connection);
  });
  /** Clients may close their side after their last request, and still get the response. */
  const endFast = (connection: Connection) => {
    connection.isClosing = true;
    if (connection.open === null) connection.socket.end();
    else askToClose(connection.open);
  };

  const runOnResponded = (connection: Connection) => {
    const { open, next, onResponded } = connection;
    if (open !== null || next !== null || onResponded === null) return;
    connection.onResponded = null;
    onResponded();
  };
  const whenResponded = (connection: Connection, action: () => void) => {
    connection.onResponded = action;
    runOnResponded(connection);
  };
  const afterLast = (connection: Connection, action: () => void) => {
    connection.isClosing = true;
    whenResponded(connection, action);
  };

  const { acceptFast } = options;
  const fastPath = acceptFast ? createFastPath(server, acceptFast, () => all.values()) : null;
  const slow = watchSlowConnections({
    all: () => all.values(),
    unsent: () => unsent,
    isTooMuch: (held) => held > maxUnsent || waitingBytes > maxWaitingBytes / 2,
    close: (reason, connection) => {
      options.onClosed(reason);
      connection.isClosing = true;
      connection.socket.destroy();
    },
    checkIntervalMs: options.checkIntervalMs,
  });
  const accept = (connection: Connection, exchange: Exchange) => {
    connection.incomplete = exchange.req instanceof IncomingMessage ? exchange.req : null;
    const isLast = connection.isLast || (isDraining && connection.rest === null);
    // Its response closes the connection, so a later request would be counted without a response.
    connection.isClosing = isLast || exchange.unreadable !== null || !exchange.res.shouldKeepAlive;
    if (isLast) askToClose(exchange);
    if (connection.open === null) start(connection, exchange);
    else connection.next = exchange;
  };
  return {
    accept: (exchange) => {
      const connection = all.get(exchange.req.socket);
      if (connection && !connection.isClosing) accept(connection, exchange);
    },
    of: (socket) => all.get(socket),
    whenResponded,
    afterLast,
    parseAgain: (connection, bytes) => {
      setRest(connection, connection.rest === null ? bytes : Buffer.concat([bytes, connection.rest]));
      parse(connection);
    },
    drain: () => {
      isDraining = true;
      for (const connection of all.values()) {
        const newest = connection.next ?? connection.open;
        if (connection.rest !== null || newest === null) continue;
        askToClose(newest);
        connection.isClosing = true;
      }
    },
    unsent: () => unsent,
    [Symbol.dispose]: () => {
      fastPath?.[Symbol.dispose]();
      slow[Symbol.dispose]();
    },
  };
}
