import { Counter, Gauge, type Registry } from "prom-client";

export type KeyLogMetrics = ReturnType<typeof keyLogMetrics>;

/** What an operator should know of the key log on NATS. */
export function keyLogMetrics(registry: Registry) {
  const registers = [registry];
  return {
    live: new Gauge({
      name: "geolookup_key_log_live",
      help: "1 while key events arrive as they happen, 0 while the NATS stream cannot be followed.",
      registers,
    }),
    ...keyFollowingMetrics(registry),
    rereads: new Counter({
      name: "geolookup_key_log_rereads_total",
      help: "How often the key log was not what it was (lost its end, restored, made anew) and was read from the start.",
      registers,
    }),
    missing: new Counter({
      name: "geolookup_key_log_messages_missing_total",
      help: "Messages that the key log should have and has not.",
      registers,
    }),
  };
}

/** What auth and gateways both have, each for its own following of the log. */
export function keyFollowingMetrics(registry: Registry) {
  const registers = [registry];
  return {
    setAside: new Counter({
      name: "geolookup_key_log_messages_set_aside_total",
      help: "Messages of the key log that are no events this version can take; the rest goes on without them.",
      registers,
    }),
    lag: new Gauge({
      name: "geolookup_key_log_lag_messages",
      help: "Messages that the key log held and this process had not taken, when it last looked; it looks every second.",
      registers,
    }),
  };
}
