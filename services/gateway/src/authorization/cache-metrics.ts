import { createTally, exposeCounter, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "@prometheus-io/client";
import type { EvictionReason } from "./cache-state.ts";

/** Registers the authorization cache's metrics. A hit costs only an addition. */
export function createCacheMetrics(
  registry: Registry,
  readings: { size: () => number; isLive: () => boolean; refusedKeys: () => number },
) {
  let refusals = 0;
  let hits = 0;
  let misses = 0;
  exposeCounter(
    registry,
    "geolookup_authorization_cache_hits_total",
    "Requests whose key was authorized from the cache.",
    () => hits,
  );
  exposeCounter(
    registry,
    "geolookup_authorization_cache_misses_total",
    "Requests whose key wasn't cached, so that they waited for auth.",
    () => misses,
  );
  exposeGauge(registry, "geolookup_authorization_cache_entries", "Cached keys.", readings.size);
  exposeGauge(registry, "geolookup_authorization_cache_feed_live", "1 while the key event feed is live.", () =>
    Number(readings.isLive()),
  );
  exposeCounter(
    registry,
    "geolookup_refused_key_cache_hits_total",
    "Requests refused without asking auth, since it had just refused the key.",
    () => refusals,
  );
  exposeGauge(
    registry,
    "geolookup_refused_key_cache_entries",
    "Cached keys that auth has just refused (`bad_signature`, `unknown_key`).",
    readings.refusedKeys,
  );
  const evictions = createTally(registry, {
    name: "geolookup_authorization_cache_evictions_total",
    help: "Grants dropped: for a key event, auth's refusal, a new key log (epoch), or lack of capacity.",
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
