import type { Socket } from "node:net";
import type { Exchange } from "../request/exchange.ts";

/**
 * Why a connection was closed: its output made no progress, all connections together had too much unsent output, or too much
 * input that waits, its client has too many connections, or there are too many in total.
 */
export const CLOSED_REASONS = ["stalled", "unsent", "pipelined", "client", "too_many"] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** One connection and its requests, in the order in which they came. */
export interface Connection {
  readonly socket: Socket;
  /** Started, and not yet sent to the last byte. */
  open: Exchange | null;
  /** Not yet started. One or two; what else has arrived isn't parsed yet (input.ts). */
  waiting: Exchange[];
  /** No further request is served: a response has announced `Connection: close`. */
  isClosing: boolean;
  /** Whether it starts its next request in one of the next turns of the event loop. */
  isReady: boolean;
  /** Runs once all responses are sent. */
  onResponded: (() => void) | null;
  /** Its position in the list of all connections. */
  index: number;
  /** Bytes that the kernel had taken at the check at which its output had last made progress (slow-connections.ts). */
  takenBytes: number;
  progressAtCheck: number;
}

const CONNECTION = Symbol("connection");
type TrackedSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Keeps the connections that have sent a request, until they close.
 * @param onClose takes a connection when it closes.
 */
export function trackConnections(onClose: (connection: Connection) => void): {
  all(): readonly Connection[];
  of(socket: Socket): Connection;
} {
  const all: Connection[] = [];
  const track = (socket: TrackedSocket): Connection => {
    const connection: Connection = {
      socket,
      open: null,
      waiting: [],
      isClosing: false,
      isReady: false,
      onResponded: null,
      index: all.length,
      takenBytes: 0,
      progressAtCheck: 0,
    };
    socket[CONNECTION] = connection;
    all.push(connection);
    socket.once("close", () => {
      const last = all.pop() as Connection;
      if (last !== connection) {
        all[connection.index] = last;
        last.index = connection.index;
      }
      onClose(connection);
    });
    return connection;
  };
  return { all: () => all, of: (socket: TrackedSocket) => socket[CONNECTION] ?? track(socket) };
}
