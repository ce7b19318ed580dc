import { Counter, Gauge, type Registry } from "@prometheus-io/client";

export type UsageLogMetrics = ReturnType<typeof usageLogMetrics>;

/** Metrics of following a usage log on NATS. */
export function usageLogMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ["stream"];
  return {
    setAside: new Counter({
      name: "geolookup_usage_log_messages_set_aside_total",
      help: "Messages of the usage log that could not be parsed and were skipped.",
      registers,
    }),
    live: new Gauge({
      name: "geolookup_usage_log_live",
      help: "1 while counts arrive as they are published, 0 while the NATS stream can't be followed.",
      labelNames,
      registers,
    }),
    lag: new Gauge({
      name: "geolookup_usage_log_lag_messages",
      help: "Messages in the stream that this process had not read at the last check (every second).",
      labelNames,
      registers,
    }),
  };
}
