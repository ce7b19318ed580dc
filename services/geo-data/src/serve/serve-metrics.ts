import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import { exposeVersion } from "../follow/expose-version.ts";
import type { Resource } from "./file-server.ts";
import type { Published } from "./publish.ts";

/** Metrics of the geo data server. */
export function createServeMetrics(registry: Registry, published: () => Published | null) {
  const registers = [registry];
  const info = {
    name: "geolookup_geo_data_served_info",
    help: "Always 1; the labels have the version that is served, and a part of its hash.",
  };
  exposeVersion(info, registry, () => published()?.manifest ?? null);
  const refused = new Gauge({
    name: "geolookup_geo_data_served_refused",
    help: "1 while the installed data can't be served and an older version is.",
    registers,
  });
  const responses = new Counter({
    name: "geolookup_geo_data_responses_total",
    help: "Responses to geo nodes.",
    labelNames: ["resource", "status"],
    registers,
  });
  const bytes = new Counter({
    name: "geolookup_geo_data_sent_bytes_total",
    help: "Bytes of manifests and files that were sent to geo nodes.",
    registers,
  });
  return {
    refused: (isRefused: boolean): void => refused.set(Number(isRefused)),
    responded: (resource: Resource, status: number, sent: number): void => {
      responses.inc({ resource, status });
      bytes.inc(sent);
    },
  };
}
