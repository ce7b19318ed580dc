import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { getHeapSpaceStatistics } from "node:v8";
import { type Exchange, openExchange } from "../../request/exchange.ts";
import { createConnections } from "../connections.ts";

/**
 * A process, started with `--expose-gc`, through which many exchanges go, some at a time. Prints how many bytes of them
 * collections of new objects left behind in the space for old ones: dead, but kept until everything is collected.
 */
const EXCHANGES = 100_000;
const AT_ONCE = 30;
/** About the size of a request and its response. */
const VALUES_EACH = 500;

const nothing = () => {};
const server = createServer();
const connections = createConnections(server, "connection", {
  serve: async () => {},
  sent: nothing,
  maxInFlight: 2_000,
  onClosed: nothing,
});
const sockets = Array.from({ length: AT_ONCE }, () => new Socket());
const underWay: EventEmitter[] = [];
const begin = (socket: Socket) => {
  const req = { socket, values: new Array<number>(VALUES_EACH).fill(0) } as unknown as Exchange["req"];
  const res = Object.assign(new EventEmitter(), { shouldKeepAlive: true }) as EventEmitter & Exchange["res"];
  connections.accept(openExchange(req, res, null));
  underWay.push(res);
};
const end = () => underWay.shift()?.emit("close");

for (const socket of sockets) {
  server.emit("connection", socket);
  begin(socket);
}
// From here on what holds them is old.
globalThis.gc?.();
globalThis.gc?.();
const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;
const before = oldBytes();
for (let count = 0; count < EXCHANGES; count += 1) {
  end();
  begin(sockets[count % AT_ONCE] as Socket);
  // As between requests, what resolves promises runs.
  await null;
}
process.stdout.write(`${oldBytes() - before}`);
