import { createTally, exposeCounter, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Counter, Histogram, type Registry } from "@prometheus-io/client";

/** Read at each scrape, so that requests don't pay for them. */
export interface MeterReadings {
  journalBytes: () => number;
  journalWrites: () => number;
  unacknowledgedCounts: () => number;
  flushLagMs: () => number;
}

/** Registers the metrics of quotas, peer usage and publishing. */
export function createMeterMetrics(registry: Registry) {
  const registers = [registry];
  const queries = createTally(registry, {
    name: "geolookup_peer_usage_requests_total",
    help: "Queries to the usage service for peer usage, by outcome.",
    labelNames: ["outcome"],
  });
  const byOutcome = { succeeded: queries("succeeded"), failed: queries("failed") };
  let isAvailable = true;
  exposeGauge(
    registry,
    "geolookup_peer_usage_available",
    "1 while the usage service reports peer usage, 0 while quotas fall back to the last known totals.",
    () => Number(isAvailable),
  );
  const admissions = createTally(registry, {
    name: "geolookup_quota_admissions_total",
    help: "Requests with a key, by the decision of the monthly quota.",
    labelNames: ["decision"],
  });
  return {
    queried: (outcome: "succeeded" | "failed") => {
      byOutcome[outcome].count += 1;
      isAvailable = outcome === "succeeded";
    },
    admitted: admissions("admitted"),
    refused: admissions("refused"),
    publishSeconds: new Histogram({
      name: "geolookup_usage_publish_duration_seconds",
      help: "Time until the usage log acknowledged a message.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    publishFailures: new Counter({
      name: "geolookup_usage_publish_failures_total",
      help: "Messages that the usage log didn't acknowledge. They are sent again.",
      registers,
    }),
    journalFailures: new Counter({
      name: "geolookup_usage_journal_write_failures_total",
      help: "Failed writes to the usage journal; the counts stay in memory and are published from there.",
      registers,
    }),
    damagedJournals: new Counter({
      name: "geolookup_usage_journals_damaged_total",
      help: "Damaged journals of stopped instances, set aside.",
      registers,
    }),
  };
}

/** Registers the metrics that are read from a running meter. */
export function exposeReadings(registry: Registry, readings: MeterReadings): void {
  exposeGauge(
    registry,
    "geolookup_usage_journal_bytes",
    "Size of this instance's usage journal.",
    readings.journalBytes,
  );
  exposeCounter(
    registry,
    "geolookup_usage_journal_writes_total",
    "Writes to the usage journal, each with all counts of one turn of the event loop.",
    readings.journalWrites,
  );
  exposeGauge(
    registry,
    "geolookup_usage_unacknowledged_counts",
    "Counts that the usage log hasn't acknowledged yet.",
    readings.unacknowledgedCounts,
  );
  exposeGauge(
    registry,
    "geolookup_usage_flush_lag_seconds",
    "Age of the oldest count that the usage log hasn't acknowledged.",
    () => readings.flushLagMs() / 1000,
  );
}
