import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastConnection } from "../fast-path/fast-path.ts";
import type { Exchange } from "../request/exchange.ts";

/**
 * Why a connection was closed: its output made no progress, all connections together had too much unsent output, or too much
 * input that waits, its client has too many connections, or there are too many in total.
 */
export const CLOSED_REASONS = ["stalled", "unsent", "pipelined", "client", "too_many"] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** How long a client may take to read the last response and close. */
const LINGER_MS = 1_000;

/** One connection: its request, and what it has sent behind it. */
export interface Connection extends FastConnection {
  /** The request that has started, until its response is sent to the last byte. */
  open: Exchange | null;
  /** Whether its response is written. */
  isWritten: boolean;
  /** The request behind it, if the end of its body was parsed together with that request's headers. */
  next: Exchange | null;
  /** What was received and isn't parsed yet: one read, or two while it waits in line. Meanwhile, nothing more is read. */
  rest: Buffer | null;
  /** The newest request, if its body may still be coming. */
  incomplete: IncomingMessage | null;
  /** Takes what is received. */
  receive: (input: Buffer) => void;
  /** Have Node's server parse input, or the end of it, and whether it is doing so. The fast path needs only the latter. */
  parse: (input: Buffer) => void;
  parseEnd: () => void;
  isParsing: boolean;
  /** The client has closed its side, which Node's server doesn't know yet. */
  hasEnded: boolean;
  /** It waits for one of the next turns of the event loop (turns.ts). */
  isInLine: boolean;
  /** What was behind its next request was dropped. */
  isLast: boolean;
  /** No further request is served: a response has announced `Connection: close`. */
  isClosing: boolean;
  /** Runs once all responses are sent. Nothing is parsed before. */
  onResponded: (() => void) | null;
}

export function newConnection(socket: Socket, isFast: boolean): Connection {
  return {
    socket,
    isFast,
    hasSentRequest: false,
    idleSinceMs: performance.now(),
    receive: () => {},
    open: null,
    isWritten: false,
    next: null,
    rest: null,
    incomplete: null,
    parse: () => {},
    parseEnd: () => {},
    isParsing: false,
    hasEnded: false,
    isInLine: false,
    isLast: false,
    isClosing: false,
    onResponded: null,
  };
}

/**
 * Ends a connection whose client may still be sending. Closing a connection with unread input resets it, and the client may
 * lose responses, so further input is read and dropped for a while.
 * @param text sent before the end.
 */
export function endConnection(socket: Socket, text = ""): void {
  socket.end(text);
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
}
