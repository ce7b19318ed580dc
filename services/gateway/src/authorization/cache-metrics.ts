import { createTally, exposeCounter, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "prom-client";
import type { EvictionReason } from "./cache-state.ts";

/** Registers the verdict cache's metrics; a hit pays for an addition and no more. */
export function createVerdictMetrics(
  registry: Registry,
  readings: { size: () => number; isLive: () => boolean; refusedKeys: () => number },
) {
  let refusals = 0;
  let hits = 0;
  let misses = 0;
  exposeCounter(
    registry,
    "geolookup_authorization_cache_hits_total",
    "Requests whose key was judged at once, by what is known of it.",
    () => hits,
  );
  exposeCounter(
    registry,
    "geolookup_authorization_cache_misses_total",
    "Requests whose key was not known, so that they waited for auth.",
    () => misses,
  );
  exposeGauge(registry, "geolookup_authorization_cache_entries", "Keys whose verdict is known.", readings.size);
  exposeGauge(
    registry,
    "geolookup_authorization_cache_feed_live",
    "1 while key changes are heard as they happen.",
    () => Number(readings.isLive()),
  );
  exposeCounter(
    registry,
    "geolookup_refused_key_cache_hits_total",
    "Requests refused without asking auth, since it had just refused the same key.",
    () => refusals,
  );
  exposeGauge(
    registry,
    "geolookup_refused_key_cache_entries",
    "Keys that auth has just refused (`bad_signature`, `unknown_key`).",
    readings.refusedKeys,
  );
  const evictions = createTally(registry, {
    name: "geolookup_authorization_cache_evictions_total",
    help: "Grants dropped: for an event of the key, auth's refusal, another key log, or want of room.",
    labelNames: ["reason"],
  });
  for (const reason of ["event", "refused", "epoch", "capacity"] satisfies EvictionReason[]) evictions(reason);
  return {
    hit: () => {
      hits += 1;
    },
    refused: () => {
      refusals += 1;
    },
    missed: () => {
      misses += 1;
    },
    evicted: (reason: EvictionReason, count: number) => {
      evictions(reason).count += count;
    },
  };
}
