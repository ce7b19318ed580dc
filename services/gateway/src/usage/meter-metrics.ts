import type { Registry } from "prom-client";
import { Counter, Gauge, Histogram } from "prom-client";

/** What the meter's metrics are read from when they are asked for: a request pays for none of them. */
export interface MeterReadings {
  admitted: number;
  refused: number;
  journalBytes: () => number;
  unacknowledgedCounts: () => number;
  flushLagMs: () => number;
}

/** Registers the metrics of how usage is written. */
export function createMeterMetrics(registry: Registry) {
  const registers = [registry];
  const asked = new Counter({
    name: "geolookup_usage_totals_requests_total",
    help: "Questions to the usage service about what other gateways counted, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  return {
    asked: (outcome: "answered" | "failed") => asked.inc({ outcome }),
    publishSeconds: new Histogram({
      name: "geolookup_usage_publish_duration_seconds",
      help: "Time until the usage log acknowledged a message.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    publishFailures: new Counter({
      name: "geolookup_usage_publish_failures_total",
      help: "Messages that the usage log did not take; they are sent again.",
      registers,
    }),
    journalFailures: new Counter({
      name: "geolookup_usage_journal_write_failures_total",
      help: "Failed writes to the usage journal; the counts stay in memory and are published from there.",
      registers,
    }),
    damagedJournals: new Counter({
      name: "geolookup_usage_journals_damaged_total",
      help: "Journals of dead boots that were damaged and set aside.",
      registers,
    }),
  };
}

/** Registers the metrics that are read off a running meter. */
export function exposeReadings(registry: Registry, readings: MeterReadings): void {
  const registers = [registry];
  new Counter({
    name: "geolookup_quota_admissions_total",
    help: "Requests with a key by what the monthly quota decided.",
    labelNames: ["decision"],
    registers,
    collect() {
      this.reset();
      this.inc({ decision: "admitted" }, readings.admitted);
      this.inc({ decision: "refused" }, readings.refused);
    },
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("geolookup_usage_journal_bytes", "Size of this boot's usage journal.", readings.journalBytes);
  gauge(
    "geolookup_usage_unacknowledged_counts",
    "Counts that the usage log has not acknowledged yet.",
    readings.unacknowledgedCounts,
  );
  gauge(
    "geolookup_usage_flush_lag_seconds",
    "For how long the oldest count that the usage log has not acknowledged waits.",
    () => readings.flushLagMs() / 1000,
  );
}
