import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import type { PollResult } from "@geolookup/shared/runtime/files/watch-files.ts";
import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import type { DatabaseInfo } from "./databases/database.ts";

/** The geo service's own metrics. Lookups are the hot path: they are counted in plain numbers, which scrapes read. */
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
    help: "Lookups by outcome.",
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
    help: "Changes of database files, by result.",
    labelNames: ["database", "result"],
    registers,
  });
  const refused = new Gauge({
    name: "geolookup_geo_database_refused",
    help: "1 while a database file is refused or missing and older data is in use.",
    labelNames: ["database"],
    registers,
  });
  const lookupFailures = new Counter({
    name: "geolookup_geo_database_lookup_failures_total",
    help: "Lookups that failed because a database is damaged.",
    labelNames: ["database"],
    registers,
  });
  return {
    lookups,
    lookupFailures,
    /** Call when databases are in use and followed. @param namedBy the file that names them. */
    follows: (databases: readonly string[], namedBy: readonly string[]) => {
      refused.reset();
      for (const database of [...namedBy, ...databases]) refused.set({ database }, 0);
      // Alerts on increases need the initial 0.
      for (const database of databases) lookupFailures.inc({ database }, 0);
    },
    polled: (database: string, result: PollResult) => {
      if (result === "unchanged") return;
      reloads.inc({ database, result });
      refused.set({ database }, result === "reloaded" ? 0 : 1);
    },
  };
}
