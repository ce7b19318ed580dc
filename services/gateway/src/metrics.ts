import type { Problem } from "@geolookup/shared/domain/errors.ts";
import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { createTally, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Histogram, type Registry } from "@prometheus-io/client";
import { CLOSED_REASONS, type ClosedReason } from "./connections/connection.ts";
import type { RouteLabel } from "./request/exchange.ts";

/** The gateway's Prometheus metrics. Labels are from closed sets or plan names, and never contain addresses, keys or URLs. */
export interface GatewayMetrics {
  /** A response was sent. `code` is the error code, or `ok`. */
  responded(route: RouteLabel, status: number, code: string, plan: string, durationSeconds: number): void;
  located(reason: LocateReason, complete: boolean): void;
  /** A connection was closed because it exceeded a limit. */
  connectionClosed(reason: ClosedReason): void;
  /** A request exceeded a limit or quota. */
  refused(problem: Problem & { code: "rate_limited" | "quota_exceeded" }): void;
}

const LIMITS: readonly (Extract<Problem, { code: "rate_limited" }>["exceeded"] | "monthly")[] = [
  "keyless_hourly",
  "caller_hourly",
  "per_second",
  "monthly",
];

export function createMetrics(registry: Registry): GatewayMetrics {
  const requests = createTally(registry, {
    name: "geolookup_requests_total",
    help: "Requests by route, HTTP status, error code (ok if none) and plan (none if keyless).",
    labelNames: ["route", "status", "code", "plan"],
  });
  const duration = new Histogram({
    name: "geolookup_request_duration_seconds",
    help: "Time from a request's headers to the end of its response.",
    labelNames: ["route"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const records = createTally(registry, {
    name: "geolookup_records_total",
    help: "Records by the outcome of the lookup, and by completeness for the caller's plan.",
    labelNames: ["reason", "complete"],
  });
  // Alerts on a first occurrence need an initial 0.
  for (const reason of ["found", "not_found", "non_public", "failed", "unreachable"] satisfies LocateReason[])
    records(reason, "false");
  const closed = createTally(registry, {
    name: "geolookup_connections_closed_total",
    help: "Connections of the public port that the gateway closed, by the limit they exceeded.",
    labelNames: ["reason"],
  });
  for (const reason of CLOSED_REASONS) closed(reason);
  const refusals = createTally(registry, {
    name: "geolookup_limit_refusals_total",
    help: "Requests refused with 429, by limit.",
    labelNames: ["limit"],
  });
  for (const limit of LIMITS) refusals(limit);
  for (const route of ["/v1/geo", "/", "other", "unreadable"] satisfies RouteLabel[]) duration.zero({ route });
  return {
    responded: (route, status, code, plan, durationSeconds) => {
      requests(route, String(status), code, plan).count += 1;
      duration.observe({ route }, durationSeconds);
    },
    located: (reason, complete) => {
      records(reason, complete ? "true" : "false").count += 1;
    },
    connectionClosed: (reason) => {
      closed(reason).count += 1;
    },
    refused: (problem) => {
      refusals(problem.code === "quota_exceeded" ? "monthly" : problem.exceeded).count += 1;
    },
  };
}

/** Gauges of requests and responses, read when the metrics are. */
export function exposeReadings(
  registry: Registry,
  readings: { inFlight: () => number; maxInFlight: number; waiting: () => number; unsent: () => number },
): void {
  exposeGauge(registry, "geolookup_requests_in_flight", "Requests in progress.", readings.inFlight);
  exposeGauge(
    registry,
    "geolookup_requests_in_flight_limit",
    "Requests that may be in progress at once. As many more wait; the others are refused.",
    () => readings.maxInFlight,
  );
  exposeGauge(
    registry,
    "geolookup_requests_waiting",
    "Requests that wait for one in progress to end, at most as many as may be in progress.",
    readings.waiting,
  );
  exposeGauge(
    registry,
    "geolookup_responses_unsent",
    "Responses that callers haven't fully received yet.",
    readings.unsent,
  );
}
