import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem, Unreadable } from "@geolookup/shared/domain/errors.ts";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import { errorAnswer } from "./answers.ts";

/** How long a refused connection may take to read its answer and close. */
const LINGER_MS = 1_000;

const REASON_OF: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "too_slow",
};

export interface BelowHttp {
  /** Answers a request that Node lets through and RFC 9112 does not, then closes its connection. */
  refuse(res: ServerResponse, unreadable: Unreadable): void;
}

/**
 * What Node would answer in its own words or not at all gets the contract's error shape, then the
 * connection is closed: requests that cannot be parsed, oversized headers, `Expect`, CONNECT.
 * @param options.refused told of every such answer.
 */
export function answerBelowHttp(
  server: Server,
  options: { docsUrl: () => string; clock: Clock; refused: () => void },
): BelowHttp {
  const answerTo = (unreadable: Unreadable) => {
    options.refused();
    const problem: Problem = { code: "not_found", unreadable };
    return errorAnswer(problem, options.docsUrl(), options.clock());
  };
  const refuseSocket = (socket: Duplex, unreadable: Unreadable) => {
    const { status, headers, body } = answerTo(unreadable);
    const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(linger));
  };
  const refuse = (res: ServerResponse, unreadable: Unreadable) => {
    const { status, headers, body } = answerTo(unreadable);
    res.writeHead(status, { ...headers, Connection: "close" }).end(body);
  };

  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: unknown }) => {
    // An answer under way (to a request pipelined before) must not be mixed with this one.
    if (!socket.writable || socket._httpMessage) socket.destroy();
    else refuseSocket(socket, REASON_OF[error.code ?? ""] ?? "syntax");
  });
  server.on("connect", (_req, socket) => {
    // Node hands the connection over without any listener of its own: a reset would end the process.
    socket.on("error", () => socket.destroy());
    refuseSocket(socket, "tunnel");
  });
  const refuseExpectation = (req: IncomingMessage, res: ServerResponse) => {
    if (req.method === "OPTIONS") server.emit("request", req, res);
    else refuse(res, "expectation");
  };
  server.on("checkContinue", refuseExpectation);
  server.on("checkExpectation", refuseExpectation);
  return { refuse };
}
