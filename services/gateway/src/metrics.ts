import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { createTally, exposeGauge } from "@geolookup/shared/runtime/metrics.ts";
import { Histogram, type Registry } from "prom-client";

/** The gateway's Prometheus metrics. Labels are drawn from closed sets and plan names: never an address, key or URL. */
export interface GatewayMetrics {
  /** One answered request. `code` is the error code, or `ok`. */
  answered(route: Route, status: number, code: string, plan: string, durationSeconds: number): void;
  located(reason: LocateReason, complete: boolean): void;
}

/** What a request asked for: the operation by either path, anything else, or what could not be read. */
export type Route = "/v1/geo" | "/" | "other" | "unreadable";

export function createMetrics(
  registry: Registry,
  readings: { inFlight: () => number; maxInFlight: number },
): GatewayMetrics {
  const requests = createTally(registry, {
    name: "geolookup_requests_total",
    help: "Answered requests by route, HTTP status, error code (ok when none) and plan (none without a key).",
    labelNames: ["route", "status", "code", "plan"],
  });
  const duration = new Histogram({
    name: "geolookup_request_duration_seconds",
    help: "Time from a request's headers to its answer.",
    labelNames: ["route"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const records = createTally(registry, {
    name: "geolookup_records_total",
    help: "Records by why they are as complete as they are, and by completeness for the caller's plan.",
    labelNames: ["reason", "complete"],
  });
  // An alert on what has never happened before needs the 0 that comes first.
  for (const reason of ["found", "not_found", "non_public", "failed", "unreachable"] satisfies LocateReason[])
    records(reason, "false");
  exposeGauge(registry, "geolookup_requests_in_flight", "Requests being answered now.", readings.inFlight);
  exposeGauge(
    registry,
    "geolookup_requests_in_flight_limit",
    "Requests that may be answered at once; more are refused.",
    () => readings.maxInFlight,
  );
  const durationOf = {
    "/v1/geo": duration.labels("/v1/geo"),
    "/": duration.labels("/"),
    other: duration.labels("other"),
    unreadable: duration.labels("unreadable"),
  };
  return {
    answered: (route, status, code, plan, durationSeconds) => {
      requests(route, String(status), code, plan).count += 1;
      durationOf[route].observe(durationSeconds);
    },
    located: (reason, complete) => {
      records(reason, complete ? "true" : "false").count += 1;
    },
  };
}
