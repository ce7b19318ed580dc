import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests of a connection may wait behind one that is not answered. Clients that pipeline send some ten. */
export const MOST_PIPELINED = 100;

/**
 * Bounds what one connection can have a gateway hold: Node takes 64 kB at a time from it, some 2,500 requests, and keeps
 * all their answers for a caller who does not read them.
 * @returns tells of each request, before anything else is done for it, whether it may be answered. A connection with one
 *   too many is closed.
 */
export function limitPipelining(): (req: IncomingMessage, res: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, res) => {
    // A response has its connection unless others are before it: who does not pipeline is not counted.
    if (res.socket !== null) return true;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MOST_PIPELINED) {
      socket.destroy();
      return false;
    }
    waiting.set(socket, count);
    res.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return true;
  };
}
