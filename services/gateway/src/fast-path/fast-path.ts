import type { Server } from "node:http";
import type { Socket } from "node:net";
import { endConnection } from "../connections/end-connection.ts";
import { SERVER_OPTIONS } from "../connections/server-options.ts";
import type { RequestHead } from "../request/exchange.ts";
import { FastResponse } from "./fast-response.ts";
import { parseRequest } from "./parse-request.ts";

/** How much longer than announced a connection stays open, as in Node: the next request may be on its way. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

/** A connection whose requests so far were all parsed here. */
interface FastConnection {
  readonly socket: Socket;
  /** The response to the current request; null if there is none. */
  current: FastResponse | null;
  /** What arrived after the current request. */
  rest: Buffer | null;
  /** Since when it waits for a request, in milliseconds of process time. */
  idleSinceMs: number;
  hasSentRequest: boolean;
  /** Whether the client has closed its side. */
  hasEnded: boolean;
  /** Whether nothing more is read. */
  isEnding: boolean;
}

export interface FastPath {
  /** Whether a request is served here, by its path and host. */
  isIncluded: (req: RequestHead) => boolean;
  /** Serves a request. */
  onRequest: (req: RequestHead, res: FastResponse) => void;
}

/**
 * Serves lookups, and all requests of the edge port, without Node's HTTP parser and its `IncomingMessage` and `ServerResponse`
 * (docs/decisions/fast-path.md). A connection starts here. At the first input that isn't exactly one such request in the
 * form of parse-request.ts, it becomes Node's, with that input, and stays Node's: pipelined requests, other paths and methods,
 * partial and invalid requests. Only for connections without TLS.
 * @param server whose connections to take over, after `splitInput`.
 */
export function addFastPath(server: Server, { isIncluded, onRequest }: FastPath): void {
  const nodeListener = server.listeners("connection").at(-1) as ((this: Server, socket: Socket) => void) | undefined;
  if (!nodeListener) throw new Error("the server has no listener for connections");
  server.off("connection", nodeListener);
  const connections = new Set<FastConnection>();
  /** Connections that are Node's. */
  const nodes = new WeakSet<Socket>();

  const open = (socket: Socket) => {
    // A connection whose upgrade was ignored is emitted again (upgrade.ts).
    if (nodes.has(socket)) return nodeListener.call(server, socket);
    const connection: FastConnection = {
      socket,
      current: null,
      rest: null,
      idleSinceMs: performance.now(),
      hasSentRequest: false,
      hasEnded: false,
      isEnding: false,
    };
    connections.add(connection);

    const onData = (input: Buffer) => {
      if (connection.isEnding) return;
      if (connection.current !== null || connection.rest !== null) {
        connection.rest = connection.rest === null ? input : Buffer.concat([connection.rest, input]);
        socket.pause();
        return;
      }
      const parsed = parseRequest(input.toString("latin1"));
      if (parsed === null) return handOver(input);
      const { url, headers } = parsed;
      const req = { method: "GET", url, headers, socket };
      if (!isIncluded(req)) return handOver(input);
      connection.hasSentRequest = true;
      connection.current = new FastResponse(req, onWritten);
      if (connection.hasEnded) connection.current.shouldKeepAlive = false;
      onRequest(req, connection.current);
    };
    const handOver = (input: Buffer) => {
      connections.delete(connection);
      socket.off("data", onData).off("end", onEnd).off("error", ignore).off("close", onClose);
      nodes.add(socket);
      nodeListener.call(server, socket);
      socket.emit("data", input);
    };
    const onWritten = (error?: Error | null) => {
      const response = connection.current;
      if (error || response === null) return;
      connection.current = null;
      connection.idleSinceMs = performance.now();
      if (!response.shouldKeepAlive || !server.listening) {
        connection.isEnding = true;
        endConnection(socket);
      }
      response.sent();
      // In a later tick: the previous request still counts as in flight until its handler returns.
      if (connection.rest !== null) process.nextTick(readRest);
    };
    const readRest = () => {
      const { rest } = connection;
      if (rest === null || socket.destroyed) return;
      connection.rest = null;
      socket.resume();
      onData(rest);
    };
    // Clients may close their side after their last request, and still get the response.
    const onEnd = () => {
      connection.hasEnded = true;
      if (connection.current === null) socket.end();
      else if (connection.rest === null) connection.current.shouldKeepAlive = false;
    };
    const onClose = () => connections.delete(connection);
    socket.on("data", onData).on("end", onEnd).on("error", ignore).on("close", onClose);
  };
  server.on("connection", open);

  const closeIdle = () => {
    const nowMs = performance.now();
    for (const connection of connections) {
      const { socket, current, idleSinceMs, hasSentRequest, isEnding } = connection;
      if (current !== null || isEnding) continue;
      const idleMs = nowMs - idleSinceMs;
      if (hasSentRequest) {
        if (idleMs > server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) socket.destroy();
      } else if (idleMs > server.headersTimeout) {
        connection.isEnding = true;
        server.emit(
          "clientError",
          Object.assign(new Error("no request"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
          socket,
        );
      }
    }
  };
  const checking = setInterval(closeIdle, SERVER_OPTIONS.connectionsCheckingInterval).unref();
  server.once("close", () => clearInterval(checking));
  const destroyWhere = (matches: (connection: FastConnection) => boolean) => {
    for (const connection of connections) if (matches(connection)) connection.socket.destroy();
  };
  const { closeIdleConnections, closeAllConnections } = server;
  server.closeIdleConnections = () => {
    closeIdleConnections.call(server);
    destroyWhere(({ current, hasSentRequest }) => current === null && hasSentRequest);
  };
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    destroyWhere(() => true);
  };
}

function ignore(): void {}
