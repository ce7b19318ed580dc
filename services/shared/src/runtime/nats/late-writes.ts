import type { Socket } from "node:net";
import type { NatsConnection } from "nats";

/**
 * Keeps a failed write from ending the process. When NATS ends a connection, nats.js 2.29 removes its listeners from the
 * socket, among them the one for errors, and may still have a write in progress. That write then fails with
 * ERR_STREAM_WRITE_AFTER_END, and nothing handles the error. The lost connection is reported separately.
 * @param connection an open one that never reconnects.
 */
export function ignoreLateWrites(connection: NatsConnection): void {
  const socket = socketOf(connection);
  if (!socket) return;
  const removeAllListeners = socket.removeAllListeners.bind(socket);
  socket.removeAllListeners = (event) => {
    removeAllListeners(event);
    return socket.on("error", () => undefined);
  };
}

/** The library doesn't expose its socket. @returns undefined if it keeps it elsewhere. */
export function socketOf(connection: NatsConnection): Socket | undefined {
  const { protocol } = connection as { protocol?: { transport?: { socket?: Socket } } };
  return protocol?.transport?.socket;
}
