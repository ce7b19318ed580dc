import { exposeCounter } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Gauge, Histogram, type Registry } from "prom-client";
import type { GrpcNodes } from "./nodes.ts";

/** What an operator should know of the calls to a service that has several nodes. */
export interface CallMetrics {
  hedged(): void;
  /** Makes a call and measures it. @param batchSize how many questions it carries. */
  measure<Response>(batchSize: number, call: () => Promise<Response>): Promise<Response>;
}

/** @param countNodes asked when the metrics are. */
export function createCallMetrics(
  registry: Registry,
  service: "auth" | "geo",
  countNodes: () => ReturnType<GrpcNodes["count"]>,
): CallMetrics {
  const registers = [registry];
  let hedges = 0;
  let failures = 0;
  const batchSize = new Histogram({
    name: `geolookup_${service}_batch_size`,
    help: `Questions that a call to ${service} carries.`,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const duration = new Histogram({
    name: `geolookup_${service}_call_duration_seconds`,
    help: `Time until a call to ${service} was answered or failed, by whichever node.`,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  exposeCounter(
    registry,
    `geolookup_${service}_call_failures_total`,
    `Calls to ${service} that no node answered, or that one answered with an error.`,
    () => failures,
  );
  exposeCounter(
    registry,
    `geolookup_${service}_hedges_total`,
    `Calls to ${service} that were sent to another node too, because one did not answer in time.`,
    () => hedges,
  );
  new Gauge({
    name: `geolookup_${service}_nodes`,
    help: `Nodes of ${service} that this gateway knows, by whether they answer.`,
    labelNames: ["state"],
    registers,
    collect() {
      const { answering, silent } = countNodes();
      this.set({ state: "answering" }, answering);
      this.set({ state: "silent" }, silent);
    },
  });
  return {
    hedged: () => {
      hedges += 1;
    },
    measure: async (size, call) => {
      batchSize.observe(size);
      const startMs = performance.now();
      try {
        return await call();
      } catch (error) {
        failures += 1;
        throw error;
      } finally {
        duration.observe((performance.now() - startMs) / 1000);
      }
    },
  };
}
