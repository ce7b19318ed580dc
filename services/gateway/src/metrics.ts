import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The gateway's Prometheus metrics. Labels are drawn from closed sets and plan names: never an address, key or URL. */
export interface GatewayMetrics {
  /** One answered request. `code` is the error code, or `ok`. */
  answered(route: string, status: number, code: string, plan: string, durationSeconds: number): void;
  located(reason: LocateReason, complete: boolean): void;
}

export function createMetrics(registry: Registry, inFlight: () => number): GatewayMetrics {
  const requests = new Counter({
    name: "geolookup_requests_total",
    help: "Answered requests by route, HTTP status, error code (ok when none) and plan (none without a key)",
    labelNames: ["route", "status", "code", "plan"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "geolookup_request_duration_seconds",
    help: "Time from a request's headers to its answer",
    labelNames: ["route"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const records = new Counter({
    name: "geolookup_records_total",
    help: "Records by why they are as complete as they are, and by completeness for the caller's plan",
    labelNames: ["reason", "complete"],
    registers: [registry],
  });
  new Gauge({
    name: "geolookup_requests_in_flight",
    help: "Requests being answered now",
    registers: [registry],
    collect() {
      this.set(inFlight());
    },
  });
  return {
    answered: (route, status, code, plan, durationSeconds) => {
      requests.inc({ route, status, code, plan });
      duration.observe({ route }, durationSeconds);
    },
    located: (reason, complete) => records.inc({ reason, complete: String(complete) }),
  };
}
