import { getHeapSpaceStatistics } from "node:v8";
import { type Exchange, openExchange } from "../exchange.ts";
import { createInFlight } from "../in-flight.ts";

/**
 * A process, started with `--expose-gc`, through which many exchanges go, some at a time. Prints how many bytes of them
 * collections of new objects left behind in the space for old ones: dead, but kept until everything is collected.
 */
const EXCHANGES = 100_000;
const AT_ONCE = 30;
/** About what a request and its answer are. */
const VALUES_EACH = 500;

const inFlight = createInFlight();
const underWay: Exchange[] = [];
const begin = () => {
  const req = { values: new Array<number>(VALUES_EACH).fill(0) } as unknown as Exchange["req"];
  const exchange = openExchange(req, {} as Exchange["res"]);
  inFlight.add(exchange);
  underWay.push(exchange);
};
const end = () => inFlight.delete(underWay.shift() as Exchange);

for (let count = 0; count < AT_ONCE; count += 1) begin();
// From here on what holds them is old.
globalThis.gc?.();
globalThis.gc?.();
const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;
const before = oldBytes();
for (let count = 0; count < EXCHANGES; count += 1) {
  end();
  begin();
}
process.stdout.write(`${oldBytes() - before}`);
