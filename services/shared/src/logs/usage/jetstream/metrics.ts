import { Counter, Gauge, type Registry } from "prom-client";

export type UsageLogMetrics = ReturnType<typeof usageLogMetrics>;

/** What an operator should know of a usage log on NATS that is followed. */
export function usageLogMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ["stream"];
  return {
    setAside: new Counter({
      name: "geolookup_usage_log_messages_set_aside_total",
      help: "Messages of the usage log that could not be read and were set aside.",
      registers,
    }),
    live: new Gauge({
      name: "geolookup_usage_log_live",
      help: "1 while counts arrive as they are published, 0 while the NATS stream cannot be followed.",
      labelNames,
      registers,
    }),
    lag: new Gauge({
      name: "geolookup_usage_log_lag_messages",
      help: "Messages that the stream held and this process had not taken, when it last looked; it looks every second.",
      labelNames,
      registers,
    }),
  };
}
