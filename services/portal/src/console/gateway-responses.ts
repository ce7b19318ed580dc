import { askOpsPort } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { parseSamples } from "@geolookup/shared/runtime/observability/readings.ts";
import type { ServiceView } from "./cluster.ts";

/** A gateway's metrics are about 100 kB. */
const LIMITS = { timeoutMs: 1_500, maxBytes: 4_000_000 };
/** The services that respond to callers. */
const SERVICES: ReadonlySet<string> = new Set(["gateway", "standalone"]);

/** The API's paths. The docs site's pages and assets have no key either. */
const LOOKUPS: ReadonlySet<string> = new Set(["/v1/geo", "/"]);

/** The responses of the running gateways, each counted since its start. */
export interface Responses {
  /** The earliest start of a gateway. */
  sinceUnixSeconds: number;
  /** Lookups that were served without a key. */
  keyless: number;
  /** Error responses, most frequent first. */
  errors: { code: string; count: number }[];
}

/** Adds up the responses of the gateways. Never rejects. @returns null if no gateway responds. */
export async function collectResponses(services: readonly ServiceView[]): Promise<Responses | null> {
  const found = await metricsOfGateways(services);
  if (found.length === 0) return null;
  const sinceUnixSeconds = Math.min(...found.map(({ startedUnixSeconds }) => startedUnixSeconds));
  return { sinceUnixSeconds, ...countResponses(found.map(({ text }) => text)) };
}

/** Adds up responses by error code. @param texts metrics in Prometheus's text format. */
export function countResponses(texts: readonly string[]): Omit<Responses, "sinceUnixSeconds"> {
  const counts = new Map<string, number>();
  let keyless = 0;
  for (const { name, labels, value } of texts.flatMap(parseSamples)) {
    if (name !== "geolookup_requests_total" || value === 0) continue;
    const { route = "", code = "", plan, status } = labels;
    if (code !== "ok") counts.set(code, (counts.get(code) ?? 0) + value);
    else if (LOOKUPS.has(route) && plan === "none" && status === "200") keyless += value;
  }
  const errors = Array.from(counts, ([code, count]) => ({ code, count }));
  return { keyless, errors: errors.sort((one, other) => other.count - one.count) };
}

/** The metrics of each gateway. Those that don't respond are left out: the overview already warns about them. */
async function metricsOfGateways(services: readonly ServiceView[]) {
  const gateways = services
    .filter(({ service }) => SERVICES.has(service))
    .flatMap(({ processes }) => processes)
    .flatMap((process) => ("problem" in process ? [] : [process]));
  const found = await Promise.all(
    gateways.map(async ({ address, startedUnixSeconds }) => {
      try {
        const { status, text } = await askOpsPort(address, "/metrics", LIMITS);
        return status === 200 ? [{ startedUnixSeconds, text }] : [];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
