import { Counter, Gauge, type Registry } from "prom-client";
import type { EvictionReason } from "./verdict-state.ts";

/** Registers the verdict cache's metrics; a hit pays for an addition and no more. */
export function createVerdictMetrics(registry: Registry, readings: { size: () => number; isLive: () => boolean }) {
  const registers = [registry];
  let hits = 0;
  let misses = 0;
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
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
  counter(
    "geolookup_verdict_cache_hits_total",
    "Requests whose key was judged at once, by what is known of it.",
    () => hits,
  );
  counter(
    "geolookup_verdict_cache_misses_total",
    "Requests whose key was not known, so that they waited for auth.",
    () => misses,
  );
  gauge("geolookup_verdict_cache_entries", "Keys whose verdict is known.", readings.size);
  gauge("geolookup_verdict_cache_feed_live", "1 while key changes are heard as they happen.", () =>
    Number(readings.isLive()),
  );
  const evictions = new Counter({
    name: "geolookup_verdict_cache_evictions_total",
    help: "Grants dropped: for an event of the key, auth's refusal, another key log, or want of room.",
    labelNames: ["reason"],
    registers,
  });
  return {
    hit: () => {
      hits += 1;
    },
    missed: () => {
      misses += 1;
    },
    evicted: (reason: EvictionReason, count: number) => evictions.inc({ reason }, count),
  };
}
