import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import type { DatabaseInfo } from "./databases/database.ts";
import type { PollResult } from "./databases/follow-changes.ts";

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
  const refused = new Gauge({
    name: "geolookup_geo_database_refused",
    help: "1 while a database file is refused or gone and older data are in use.",
    labelNames: ["database"],
    registers,
  });
  const lookupFailures = new Counter({
    name: "geolookup_geo_database_lookup_failures_total",
    help: "Look-ups that a database failed on because it is damaged.",
    labelNames: ["database"],
    registers,
  });
  return {
    lookups,
    lookupFailures,
    /** These are followed from now on; what they hold is in use. @param namedBy the file that names the databases. */
    follows: (databases: readonly string[], namedBy: readonly string[]) => {
      refused.reset();
      for (const database of [...namedBy, ...databases]) refused.set({ database }, 0);
      // An alert on what has never happened before needs the 0 that comes first.
      for (const database of databases) lookupFailures.inc({ database }, 0);
    },
    polled: (database: string, result: PollResult) => {
      if (result === "unchanged") return;
      reloads.inc({ database, result });
      refused.set({ database }, result === "reloaded" ? 0 : 1);
    },
  };
}
