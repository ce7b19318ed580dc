import type { Registry } from "@prometheus-io/client";
import type { Sample } from "./readings.ts";

/** A process's status, as served at `/status` of its ops port. */
export interface Status {
  service: string;
  version: string;
  /** Node.js, e.g. `v24.21.0`. */
  node: string;
  ready: boolean;
  startedUnixSeconds: number;
  /** All our gauges: see docs/metrics.md. */
  gauges: Sample[];
}

const OUR_PREFIX = "geolookup_";

/** A process's current status. */
export async function statusOf(options: {
  registry: Registry;
  ready: () => boolean;
  status: { service: string; version: string };
}): Promise<Status> {
  const metrics = await options.registry.getMetricsAsJSON();
  const gauges = metrics
    // The types say that `type` is a number; it is its name.
    .filter(({ name, type }) => name.startsWith(OUR_PREFIX) && String(type) === "gauge")
    .flatMap(({ name, values }) => values.map(({ labels, value }) => ({ name, labels: textsOf(labels), value })));
  return {
    ...options.status,
    node: process.version,
    ready: options.ready(),
    startedUnixSeconds: Math.round(performance.timeOrigin / 1_000),
    gauges,
  };
}

function textsOf(labels: Partial<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
