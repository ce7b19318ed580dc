import type { Socket } from "node:net";

/** How long a client may take to read the last response and close. */
const LINGER_MS = 1_000;

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
