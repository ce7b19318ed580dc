import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Unreadable } from "@geolookup/shared/domain/errors.ts";
import { askToClose, type Exchange, isOver } from "../request/exchange.ts";
import { errorResponse } from "../responses/error-response.ts";
import { type Connection, endConnection } from "./connection.ts";
import type { Connections } from "./connections.ts";

const REASON_OF: Readonly<Record<string, Unreadable>> = {
  HPE_INVALID_METHOD: "method",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "too_slow",
};

/** An error of Node's parser; of its timeouts, one without a packet. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** Responds to an invalid request with an error that closes the connection. */
export function refuseInvalid(
  exchange: Exchange,
  unreadable: Unreadable,
  { docsUrl, clock }: { docsUrl: () => string; clock: Clock },
): void {
  const { status, headers, body } = errorResponse({ code: "not_found", unreadable }, docsUrl(), clock());
  exchange.route = "unreadable";
  exchange.code = "not_found";
  exchange.res.writeHead(status, { ...headers, Connection: "close" }).end(body);
}

/**
 * Handles requests that aren't valid HTTP. Every such request gets one response in the contract's error shape, after the
 * responses to the requests before it, and its connection is closed. A request never gets two responses.
 * @param options.onRefused is called for every error that is written without an exchange.
 */
export function handleInvalidRequests(
  server: Server,
  connections: Pick<Connections, "of" | "afterLast">,
  options: { docsUrl: () => string; clock: Clock; onRefused: () => void },
): void {
  const refuseSocket = (socket: Socket, unreadable: Unreadable, isHead = false) => {
    if (!socket.writable) return;
    options.onRefused();
    const { status, headers, body } = errorResponse(
      { code: "not_found", unreadable },
      options.docsUrl(),
      options.clock(),
    );
    const all = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: "close" });
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`;
    endConnection(socket, head + (isHead ? "" : body));
  };
  /** The body of a request whose headers were valid can't be read. */
  const refuseBody = (connection: Connection, req: IncomingMessage, unreadable: Unreadable) => {
    const newest = connection.next ?? connection.open;
    if (newest?.req === req && !newest.isCounted && !isOver(newest)) {
      connection.isClosing = true;
      newest.unreadable = unreadable;
      if (connection.open === newest) refuseInvalid(newest, unreadable, options);
      return;
    }
    if (newest?.req === req) askToClose(newest);
    connections.afterLast(connection, () => endConnection(connection.socket));
  };

  server.on("clientError", (error: ParseError, socket: Socket) => {
    const connection = connections.of(socket);
    // Bytes after the last request that is served are read and dropped. Node reports each chunk of them.
    if (connection?.isClosing) return;
    if (!connection || !socket.writable) {
      socket.destroy();
      return;
    }
    // Its request has arrived in time, and waits for its turn.
    if (connection.isInLine && error.code === "ERR_HTTP_REQUEST_TIMEOUT") return;
    const unreadable = REASON_OF[error.code ?? ""] ?? "syntax";
    const { incomplete } = connection;
    if (incomplete?.complete === false) refuseBody(connection, incomplete, unreadable);
    // The caller sent `Connection: close`: no request follows.
    else if (error.code === "HPE_CLOSED_CONNECTION") connections.afterLast(connection, () => endConnection(socket));
    else connections.afterLast(connection, () => refuseSocket(socket, unreadable, isHead(error)));
  });
  server.on("connect", (_req, socket: Socket) => {
    // Node hands over the connection without listeners: a reset would end the process.
    socket.on("error", () => socket.destroy());
    const connection = connections.of(socket);
    if (connection) connections.afterLast(connection, () => refuseSocket(socket, "tunnel"));
  });
}

/**
 * Whether the headers that can't be parsed are those of a HEAD request, whose response has no body. The parser doesn't tell the
 * method. If its line isn't in the last packet, the answer is no.
 */
function isHead({ rawPacket, bytesParsed }: ParseError): boolean {
  const parsed = rawPacket?.toString("latin1", 0, bytesParsed) ?? "";
  const endOfLast = parsed.lastIndexOf("\r\n\r\n");
  return parsed.slice(Math.max(0, endOfLast)).trimStart().startsWith("HEAD ");
}
