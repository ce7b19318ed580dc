import type { Socket } from "node:net";
import { atRate } from "../at-rate.ts";
import { startNarrowRelay } from "../narrow/start-narrow-relay.ts";
import { openSockets } from "../sockets.ts";
import { type Attack, createTally } from "./attack.ts";

const REQUEST = "GET /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n";

/**
 * Connections that pipeline keyless requests slowly and never read a response. Unsent responses stay in the server's memory, and
 * each counts as in flight.
 * @param options.perSecond requests a second over all connections. Clients that send faster run into the limit on pipelining
 *   first.
 */
export function neverReading({ connections, perSecond }: { connections: number; perSecond: number }): Attack {
  return {
    name: `never-reading-${connections}`,
    about: `${connections.toLocaleString("en")} connections with a tiny receive buffer, which pipeline keyless requests slowly and never read`,
    async run(target, signal) {
      const tally = createTally();
      await using relay = await startNarrowRelay(target.url);
      const sockets = await openSockets(target, connections, relay.port);
      tally.add("connections", sockets.length);
      for (const socket of sockets) socket.pause();
      const reopen = async (index: number) => {
        const [socket] = await openSockets(target, 1, relay.port);
        if (socket === undefined) return;
        tally.add("connections");
        sockets[index] = socket.pause();
      };
      const reopening = new Set<number>();
      await atRate(perSecond, signal, (turn) => {
        const index = turn % sockets.length;
        const socket = sockets[index] as Socket;
        if (socket.destroyed && !reopening.has(index)) {
          tally.add("closed by the server");
          reopening.add(index);
          void reopen(index).finally(() => reopening.delete(index));
        }
        // Bytes that the server doesn't accept stay in this process, so don't add more.
        if (socket.destroyed || socket.writableLength > 0) return;
        tally.add("requests");
        socket.write(REQUEST);
      });
      for (const socket of sockets) socket.destroy();
      return { tally: tally.counts, problems: [] };
    },
  };
}

/** What a client writes at once. Far more than a connection's capacity, and less than what closes it. */
const REQUESTS_AT_ONCE = 20;

/**
 * Connections that pipeline as many keyless requests as the server takes, and never read a response. The server closes them, and
 * they reconnect.
 * @param options.perSecond requests a second over all connections.
 */
export function pipelinedFlood({ connections, perSecond }: { connections: number; perSecond: number }): Attack {
  return {
    name: "pipelined-flood",
    about: `${connections.toLocaleString("en")} connections that pipeline ${perSecond.toLocaleString("en")} keyless requests a second and never read`,
    async run(target, signal) {
      const tally = createTally();
      const open = () => openSockets(target, 1).then(([socket]) => socket?.pause());
      const sockets: (Socket | undefined)[] = await openSockets(target, connections);
      for (const socket of sockets) socket?.pause();
      await atRate(perSecond / REQUESTS_AT_ONCE, signal, (turn) => {
        const index = turn % connections;
        const socket = sockets[index];
        if (socket === undefined || socket.writableLength > 0) return;
        if (socket.destroyed) {
          tally.add("closed by the server");
          sockets[index] = undefined;
          void open().then((opened) => {
            sockets[index] = opened;
          });
          return;
        }
        tally.add("requests", REQUESTS_AT_ONCE);
        socket.write(REQUEST.repeat(REQUESTS_AT_ONCE));
      });
      for (const socket of sockets) socket?.destroy();
      return { tally: tally.counts, problems: [] };
    },
  };
}
