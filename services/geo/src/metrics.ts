import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import type { DatabaseInfo } from "./database.ts";

/** The geo service's own metrics. Look-ups are counted in plain numbers and handed over when scraped: they are the hot path. */
export function createGeoMetrics(registry: Registry, databases: () => readonly DatabaseInfo[]) {
  const registers = [registry];
  const lookups: Record<Exclude<LocateReason, "unreachable">, number> = {
    found: 0,
    non_public: 0,
    not_found: 0,
    failed: 0,
  };
  new Counter({
    name: "geolookup_geo_lookups_total",
    help: "Look-ups by outcome.",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(lookups)) this.inc({ reason }, count);
    },
  });
  new Gauge({
    name: "geolookup_geo_database_build_timestamp_seconds",
    help: "When the data in use were built, Unix seconds.",
    labelNames: ["database"],
    registers,
    collect() {
      this.reset();
      for (const { name, buildUnixSeconds } of databases()) this.set({ database: name }, buildUnixSeconds);
    },
  });
  const reloads = new Counter({
    name: "geolookup_geo_database_reloads_total",
    help: "Changes of database files, by what came of them.",
    labelNames: ["database", "result"],
    registers,
  });
  const lookupFailures = new Counter({
    name: "geolookup_geo_database_lookup_failures_total",
    help: "Look-ups that a database failed on because it is damaged.",
    labelNames: ["database"],
    registers,
  });
  return { lookups, reloads, lookupFailures };
}
