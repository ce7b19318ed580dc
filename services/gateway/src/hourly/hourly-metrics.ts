import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Who decided: Redis; the mirror of its answers, which refused without asking it; or this gateway alone, Redis being away. */
export type DecisionSource = "redis" | "mirror" | "local";

export interface HourlyMetrics {
  decided(source: DecisionSource, admitted: boolean): void;
  /** Redis answered, in time or not. */
  answered(durationMs: number): void;
  timedOut(): void;
}

export function createHourlyMetrics(registry: Registry, isBreakerOpen: () => boolean): HourlyMetrics {
  const decisions = new Counter({
    name: "geolookup_hourly_limit_decisions_total",
    help: "Keyless requests by who decided (redis, mirror: refused without asking Redis, local: without Redis) and outcome",
    labelNames: ["source", "outcome"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "geolookup_redis_duration_seconds",
    help: "Time until Redis answered a batch of keyless requests",
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  });
  const timeouts = new Counter({
    name: "geolookup_redis_timeouts_total",
    help: "Batches of keyless requests that Redis did not answer in time",
    registers: [registry],
  });
  new Gauge({
    name: "geolookup_redis_breaker_open",
    help: "1 while keyless requests are decided without Redis",
    registers: [registry],
    collect() {
      this.set(isBreakerOpen() ? 1 : 0);
    },
  });
  return {
    decided: (source, admitted) => decisions.inc({ source, outcome: admitted ? "admitted" : "refused" }),
    answered: (durationMs) => duration.observe(durationMs / 1000),
    timedOut: () => timeouts.inc(),
  };
}
