import { exposeCounter } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Gauge, Histogram, type Registry } from "@prometheus-io/client";
import type { GrpcNodes } from "./nodes.ts";

/** Metrics of the calls to a service with several nodes. */
export interface CallMetrics {
  hedged(): void;
  /** Makes a call and measures it. @param batchSize the number of items in it. */
  measure<Response>(batchSize: number, call: () => Promise<Response>): Promise<Response>;
}

/** @param countNodes called at each scrape. */
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
    help: `Items per call to ${service}.`,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const duration = new Histogram({
    name: `geolookup_${service}_call_duration_seconds`,
    help: `Duration of calls to ${service}, including hedging and retries.`,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  exposeCounter(registry, `geolookup_${service}_call_failures_total`, `Failed calls to ${service}.`, () => failures);
  exposeCounter(
    registry,
    `geolookup_${service}_hedges_total`,
    `Calls to ${service} that were also sent to another node because the first was late.`,
    () => hedges,
  );
  new Gauge({
    name: `geolookup_${service}_nodes`,
    help: `Known nodes of ${service}, by state.`,
    labelNames: ["state"],
    registers,
    collect() {
      const { responding, unresponsive } = countNodes();
      this.set({ state: "responding" }, responding);
      this.set({ state: "unresponsive" }, unresponsive);
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
