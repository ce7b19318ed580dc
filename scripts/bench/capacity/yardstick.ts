import { startServer } from "../contestants/bare.ts";
import type { Pace } from "../load/drive.ts";
import { type Generator, startGenerator } from "../load/start-generator.ts";
import { microsBetween, threadMicros } from "./counters.ts";

/**
 * A Node server with a fixed response, as the contestant `node-http`. The machine is shared, and its speed changes within minutes:
 * this measures it.
 */
export interface Yardstick extends AsyncDisposable {
  /**
   * Node's CPU time per request at saturation, in microseconds. A single measurement can be off by a third; take the median of
   * several.
   */
  measure(generator: Generator): Promise<number>;
  /**
   * Node's CPU time per request at a small load, in microseconds, while something else runs. Far below saturation, a request costs
   * several times as much: each one wakes up the process, whose data other processes have evicted from the CPU caches.
   */
  measureBeside<Result>(durationMs: number, run: () => Promise<Result>): Promise<{ micros: number; result: Result }>;
}

const DURATION_MS = 400;
const CONNECTIONS = 64;
const BESIDE: Pace = { kind: "open", perSecond: 250 };

export async function startYardstick(): Promise<Yardstick> {
  const { port, pid, ...server } = await startServer("contestants/node-http-server.ts");
  const own = await startGenerator();
  const microsOf = async (generator: Generator, pace: Pace, durationMs: number) => {
    const before = threadMicros(pid);
    const { latency } = await generator.send({
      ...{ port, pids: [], connections: CONNECTIONS, durationMs, pace },
      requests: { path: "/v1/geo", keys: [] },
    });
    return microsBetween(before, threadMicros(pid)) / latency.count;
  };
  return {
    measure: (generator) => microsOf(generator, { kind: "closed" }, DURATION_MS),
    measureBeside: async (durationMs, run) => {
      const [micros, result] = await Promise.all([microsOf(own, BESIDE, durationMs), run()]);
      return { micros, result };
    },
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
