import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import { elapsedClock } from "../../../domain/clock.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { budgetedLine } from "../../../runtime/observability/log-budget.ts";
import { exposeGauge } from "../../../runtime/observability/metrics.ts";

/** The first of many invalid messages are logged one by one, and the others by kind. */
const SET_ASIDE = { burst: 10, refillMs: 10_000 };

/** @returns a function that logs a message that was set aside, within the budget. */
export function setAsideLine(log: Logger) {
  return budgetedLine(log, "error", "key log message set aside", SET_ASIDE);
}

export type KeyLogMetrics = ReturnType<typeof keyLogMetrics>;

/** Metrics of the key log on NATS. */
export function keyLogMetrics(registry: Registry) {
  const registers = [registry];
  return {
    live: new Gauge({
      name: "geolookup_key_log_live",
      help: "1 while key events arrive as they happen, 0 while the NATS stream can't be followed.",
      registers,
    }),
    ...keyFollowingMetrics(registry),
    rereads: new Counter({
      name: "geolookup_key_log_rereads_total",
      help: "How often the key log was replaced (such as by a restore) and reread from the start.",
      registers,
    }),
    lost: new Gauge({
      name: "geolookup_key_log_lost",
      help: "1 while the key log lacks events that it had, 0 otherwise. Auth then waits for a restore or a new log.",
      registers,
    }),
  };
}

/** Metrics of auth and gateways, each about its own follower of the log. */
export function keyFollowingMetrics(registry: Registry) {
  const registers = [registry];
  let completeAtMs = elapsedClock();
  const positionAgeMs = () => elapsedClock() - completeAtMs;
  exposeGauge(
    registry,
    "geolookup_key_log_age_seconds",
    "Seconds since this process last had every event of the key log. Below 5 while it follows the log.",
    () => positionAgeMs() / 1_000,
  );
  return {
    /** @param atMs a time (elapsedClock) as of which every event was received. */
    completeAt: (atMs: number) => {
      completeAtMs = atMs;
    },
    positionAgeMs,
    setAside: new Counter({
      name: "geolookup_key_log_messages_set_aside_total",
      help: "Messages of the key log that are not valid events for this version, and were skipped.",
      registers,
    }),
    lag: new Gauge({
      name: "geolookup_key_log_lag_messages",
      help: "Messages in the key log that this process had not read at the last check (every second).",
      registers,
    }),
  };
}
