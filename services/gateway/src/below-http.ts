import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import { errorAnswer } from "./answers.ts";

const UNREADABLE: Problem = { code: "not_found", method: null, path: null };

/**
 * What Node would answer in its own words or not at all gets the contract's error shape, then the
 * connection is closed: requests that cannot be parsed, oversized headers, `Expect`, CONNECT.
 * @returns the same answer for requests that Node lets through and RFC 9112 does not.
 */
export function answerBelowHttp(
  server: Server,
  docsUrl: () => string,
  clock: Clock,
): { refuseUnreadable(res: ServerResponse): void } {
  const rawAnswer = () => {
    const { status, headers, body } = errorAnswer(UNREADABLE, docsUrl(), clock());
    const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
  };
  const refuse = (_error: Error, socket: Duplex & { _httpMessage?: unknown }) => {
    // An answer under way (to a request pipelined before) must not be mixed with this one.
    if (!socket.writable || socket._httpMessage) socket.destroy();
    else socket.end(rawAnswer());
  };
  server.on("clientError", refuse);
  server.on("connect", (_req, socket) => socket.end(rawAnswer()));
  const refuseUnreadable = (res: ServerResponse) => {
    const { status, headers, body } = errorAnswer(UNREADABLE, docsUrl(), clock());
    res.writeHead(status, { ...headers, Connection: "close" }).end(body);
  };
  const refuseExpectation = (req: IncomingMessage, res: ServerResponse) => {
    if (req.method === "OPTIONS") server.emit("request", req, res);
    else refuseUnreadable(res);
  };
  server.on("checkContinue", refuseExpectation);
  server.on("checkExpectation", refuseExpectation);
  return { refuseUnreadable };
}
