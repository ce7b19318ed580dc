import { Counter, Gauge, type Registry } from "@prometheus-io/client";

/** What happened to a geofeed's file. */
export type FeedChange = "reloaded" | "refused" | "removed";

/** The metrics of the operator's geofeeds. */
export function createGeofeedMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name: `geolookup_geo_geofeed${name}`, help, registers });
  const reloads = new Counter({
    name: "geolookup_geo_geofeed_reloads_total",
    help: "Changes of geofeed files, by result.",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["reloaded", "refused", "removed"] satisfies FeedChange[]) reloads.inc({ result }, 0);
  return {
    feeds: gauge("s", "Geofeeds in use."),
    prefixes: gauge("_prefixes", "Prefixes in the operator's geofeeds."),
    skippedLines: gauge("_skipped_lines", "Lines of the geofeeds that were skipped because of a mistake."),
    refused: gauge("_refused", "Geofeed files that are refused; older corrections of them stay in use."),
    loadedAt: gauge(
      "_loaded_timestamp_seconds",
      "When the geofeeds in use were last changed, Unix seconds; 0 if never.",
    ),
    reloads,
  };
}
