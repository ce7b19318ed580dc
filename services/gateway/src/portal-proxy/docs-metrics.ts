import { createTally } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Gauge, type Registry } from "@prometheus-io/client";

/** The limits for requests for the docs host. `reading`: forms that are still arriving. */
export type Pool = "pages" | "forms" | "streams" | "reading";

/** Why a request for the docs host was refused. */
export type RefusalReason = "full" | "timeout" | "unavailable" | "too_large" | "too_slow";

export interface DocsMetrics {
  refused(reason: RefusalReason): void;
}

/** @param pools read at each scrape. */
export function createDocsMetrics(
  registry: Registry,
  pools: Readonly<Record<Pool, { limit: number; inUse(): number }>>,
): DocsMetrics {
  const gauge = (name: string, help: string, read: (pool: { limit: number; inUse(): number }) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ["pool"], registers: [registry] },
      collect() {
        for (const [pool, usage] of Object.entries(pools)) this.set({ pool }, read(usage));
      },
    });
  gauge("geolookup_docs_requests_in_flight", "Requests for the docs host in progress, by pool.", (pool) =>
    pool.inUse(),
  );
  gauge(
    "geolookup_docs_requests_in_flight_limit",
    "Requests for the docs host that may be in progress at once, by pool.",
    ({ limit }) => limit,
  );
  const refusals = createTally(registry, {
    name: "geolookup_docs_refused_total",
    help: "Requests for the docs host that the gateway refused, by reason.",
    labelNames: ["reason"],
  });
  for (const reason of ["full", "timeout", "unavailable", "too_large", "too_slow"] satisfies RefusalReason[])
    refusals(reason);
  return {
    refused: (reason) => {
      refusals(reason).count += 1;
    },
  };
}
