import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Exchange, RequestHead, ResponseWriter } from "../request/exchange.ts";
import { FastResponse } from "./fast-response.ts";
import { parseRequest } from "./parse-request.ts";

/** How much longer than announced a connection stays open, as in Node: the next request may be on its way. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

/** How often idle connections are looked for, as by Node's server. */
const CHECK_INTERVAL_MS = 2_000;

/** What the fast path knows of a connection. */
export interface FastConnection {
  readonly socket: Socket;
  /** Whether all its requests so far were read here. */
  isFast: boolean;
  /** Whether there was one. */
  hasSentRequest: boolean;
  /** Since when it waits for a request, in milliseconds of process time. */
  idleSinceMs: number;
  /** The request that is being served, and what was received behind it. */
  readonly open: Exchange | null;
  readonly rest: Buffer | null;
  readonly isClosing: boolean;
}

export interface FastPath extends Disposable {
  /** @returns the exchange of a whole request in the usual form; null if Node must parse the input. */
  read(connection: FastConnection, input: Buffer): Exchange | null;
}

/**
 * Reads requests without Node's HTTP parser and its `IncomingMessage` and `ServerResponse`, as long as each request of a connection
 * has the form of parse-request.ts. From the first other one on, the connection is Node's (docs/decisions/fast-path.md). Until
 * then, this closes it when it has been idle for too long, as Node's server does with its own.
 * @param accept makes the exchange of a request; null if Node must parse it.
 * @param all all connections of the server.
 */
export function createFastPath(
  server: Server,
  accept: (req: RequestHead, res: ResponseWriter) => Exchange | null,
  all: () => Iterable<FastConnection>,
): FastPath {
  const idleConnections = () =>
    [...all()].filter(({ isFast, open, rest, isClosing }) => isFast && open === null && rest === null && !isClosing);
  const closeIdle = () => {
    for (const { socket, idleSinceMs, hasSentRequest } of idleConnections()) {
      const idleMs = performance.now() - idleSinceMs;
      if (hasSentRequest) {
        if (idleMs > server.keepAliveTimeout + KEEP_ALIVE_BUFFER_MS) socket.destroy();
      } else if (idleMs > server.headersTimeout) {
        const error = Object.assign(new Error("no request"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
        server.emit("clientError", error, socket);
      }
    }
  };
  const checking = setInterval(closeIdle, CHECK_INTERVAL_MS).unref();
  // Node's know only the connections that it parses.
  const { closeIdleConnections, closeAllConnections } = server;
  server.closeIdleConnections = () => {
    closeIdleConnections.call(server);
    for (const { socket, hasSentRequest } of idleConnections()) if (hasSentRequest) socket.destroy();
  };
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    for (const { socket, isFast } of all()) if (isFast) socket.destroy();
  };
  return {
    read: (connection, input) => {
      const parsed = parseRequest(input.toString("latin1"));
      if (parsed === null) return null;
      const { socket } = connection;
      const res = new FastResponse(socket, server.keepAliveTimeout / 1_000);
      const exchange = accept({ method: "GET", url: parsed.url, headers: parsed.headers, socket }, res);
      if (exchange !== null) connection.hasSentRequest = true;
      return exchange;
    },
    [Symbol.dispose]: () => clearInterval(checking),
  };
}
