import type { Registry } from "@prometheus-io/client";

/** Reads the gauges and counters of an app's connections. */
export function connectionMetrics(registry: Registry) {
  const valuesOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  return {
    sum: async (name: string) => (await valuesOf(name)).reduce((sum, { value }) => sum + value, 0),
    closedFor: async (reason: string) =>
      (await valuesOf("geolookup_connections_closed_total")).find(({ labels }) => labels.reason === reason)?.value,
  };
}
