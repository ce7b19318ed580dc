import { pause } from "../at-rate.ts";
import { openSockets } from "../sockets.ts";
import { type Attack, createTally } from "./attack.ts";

const LONG_MS = 2 ** 30;

/** Connections that send one request, then stay open and send nothing. */
export function idleConnections({ connections }: { connections: number }): Attack {
  return {
    name: "idle-connections",
    about: `${connections.toLocaleString("en")} connections that send one preflight, then nothing`,
    async run(target, signal) {
      const tally = createTally();
      const sockets = await openSockets(target, connections);
      tally.add("connections", sockets.length);
      for (const socket of sockets) socket.resume().write("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
      await pause(LONG_MS, signal);
      tally.add("closed by the server", sockets.filter(({ destroyed }) => destroyed).length);
      for (const socket of sockets) socket.destroy();
      return { tally: tally.counts, problems: [] };
    },
  };
}
