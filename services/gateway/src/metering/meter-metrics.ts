import { createTally, exposeCounter, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Counter, Histogram, type Registry } from "prom-client";

/** What the meter's metrics are read from when they are asked for: a request pays for none of them. */
export interface MeterReadings {
  journalBytes: () => number;
  journalWrites: () => number;
  unacknowledgedCounts: () => number;
  flushLagMs: () => number;
}

/** Registers the metrics of how usage is counted and written. */
export function createMeterMetrics(registry: Registry) {
  const registers = [registry];
  const asked = createTally(registry, {
    name: "geolookup_peer_usage_requests_total",
    help: "Questions to the usage service about what other gateways counted, by outcome.",
    labelNames: ["outcome"],
  });
  const questions = { answered: asked("answered"), failed: asked("failed") };
  let isAnswering = true;
  exposeGauge(
    registry,
    "geolookup_peer_usage_available",
    "1 while usage answers what other gateways counted, 0 while quotas go on by what was last known.",
    () => Number(isAnswering),
  );
  const admissions = createTally(registry, {
    name: "geolookup_quota_admissions_total",
    help: "Requests with a key by what the monthly quota decided.",
    labelNames: ["decision"],
  });
  return {
    asked: (outcome: "answered" | "failed") => {
      questions[outcome].count += 1;
      isAnswering = outcome === "answered";
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
  exposeGauge(registry, "geolookup_usage_journal_bytes", "Size of this boot's usage journal.", readings.journalBytes);
  exposeCounter(
    registry,
    "geolookup_usage_journal_writes_total",
    "Writes to the usage journal, each with the counts of all answers that leave together.",
    readings.journalWrites,
  );
  exposeGauge(
    registry,
    "geolookup_usage_unacknowledged_counts",
    "Counts that the usage log has not acknowledged yet.",
    readings.unacknowledgedCounts,
  );
  exposeGauge(
    registry,
    "geolookup_usage_flush_lag_seconds",
    "For how long the oldest count that the usage log has not acknowledged waits.",
    () => readings.flushLagMs() / 1000,
  );
}
