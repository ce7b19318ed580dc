import { startServer } from "../contestants/bare.ts";
import type { Generator } from "../load/start-generator.ts";
import { microsBetween, threadMicros } from "./counters.ts";

/**
 * A Node server with a fixed response, as the contestant `node-http`. The machine is shared, and its speed changes within
 * minutes: this says how fast it is.
 */
export interface Yardstick extends AsyncDisposable {
  /** Node's CPU time per request at saturation, in microseconds. One measurement is off by a third at times; take the median of several. */
  measure(generator: Generator): Promise<number>;
}

const DURATION_MS = 400;
const CONNECTIONS = 64;

export async function startYardstick(): Promise<Yardstick> {
  const { port, pid, ...server } = await startServer("contestants/node-http-server.ts");
  return {
    ...server,
    measure: async (generator) => {
      const before = threadMicros(pid);
      const { latency } = await generator.send({
        ...{ port, pids: [], connections: CONNECTIONS, durationMs: DURATION_MS },
        requests: { path: "/v1/geo", keys: [] },
        pace: { kind: "closed" },
      });
      return microsBetween(before, threadMicros(pid)) / latency.count;
    },
  };
}
