import { createTally, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import { FAILURES, type Failure } from "./redis-failures.ts";

/**
 * What made a decision: the memory of a single process; Redis; the mirror of Redis's responses, which refuses without asking
 * Redis; or this gateway alone while Redis is unavailable.
 */
export type DecisionSource = "memory" | "redis" | "mirror" | "local";

/** Counts the decisions of the hourly limits. */
export function createDecisionCount(
  registry: Registry,
  sources: readonly DecisionSource[],
): (source: DecisionSource, admitted: boolean) => void {
  const decisions = createTally(registry, {
    name: "geolookup_hourly_limit_decisions_total",
    help: "Decisions of the hourly limits, keyless and for each key's callers, by source (memory; redis; mirror: refused without asking Redis; local: Redis unavailable) and outcome.",
    labelNames: ["source", "outcome"],
  });
  for (const source of sources) for (const outcome of ["admitted", "refused"]) decisions(source, outcome);
  return (source, admitted) => {
    decisions(source, admitted ? "admitted" : "refused").count += 1;
  };
}

/** Counts failures of Redis. */
export function createFailureCount(registry: Registry): (failure: Failure) => void {
  const failures = createTally(registry, {
    name: "geolookup_redis_failures_total",
    help: "Failed calls of Redis for the hourly limits, and failed attempts to connect, by reason: the first word of Redis's error; timeout; connection; other.",
    labelNames: ["reason"],
  });
  for (const failure of FAILURES) failures(failure);
  return (failure) => {
    failures(failure).count += 1;
  };
}

export interface RedisMetrics {
  decided(source: DecisionSource, admitted: boolean): void;
  /** Redis responded, in time or not. */
  responded(durationMs: number): void;
  timedOut(): void;
}

export function createRedisMetrics(registry: Registry, isBreakerOpen: () => boolean): RedisMetrics {
  const duration = new Histogram({
    name: "geolookup_redis_duration_seconds",
    help: "Response time of Redis for a batch of requests to the hourly limits.",
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  });
  const timeouts = new Counter({
    name: "geolookup_redis_timeouts_total",
    help: "Batches of requests to the hourly limits that timed out at Redis.",
    registers: [registry],
  });
  exposeGauge(registry, "geolookup_redis_breaker_open", "1 while the hourly limits work without Redis.", () =>
    Number(isBreakerOpen()),
  );
  return {
    decided: createDecisionCount(registry, ["redis", "mirror", "local"]),
    responded: (durationMs) => duration.observe(durationMs / 1000),
    timedOut: () => timeouts.inc(),
  };
}
