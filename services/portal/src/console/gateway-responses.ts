import { askOpsPort } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { parseSamples } from "@geolookup/shared/runtime/observability/readings.ts";
import { z } from "zod";
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
  const found = await askGateways(services, "/metrics", (text) => text);
  if (found.length === 0) return null;
  const sinceUnixSeconds = Math.min(...found.map(({ startedUnixSeconds }) => startedUnixSeconds));
  return { sinceUnixSeconds, ...countResponses(found.map(({ response }) => response)) };
}

/** The responses to one key by hour, as gateways count them in memory. */
export interface KeyResponses {
  /** Since when every gateway that responded has all of them. Those of gateways that stopped are lost. */
  sinceMs: number;
  /** By the start of the hour, in milliseconds since the Unix epoch, and by code: an error's, or `ok`. */
  hours: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** What a gateway's key-responses.ts serves. */
const KEY_RESPONSES = z.object({
  sinceMs: z.number(),
  hours: z.array(z.object({ startMs: z.number(), counts: z.record(z.string().regex(/^[a-z_]+$/), z.number()) })),
});

/** Adds up the responses of the gateways to a key. Never rejects. @returns null if no gateway responds. */
export async function collectKeyResponses(
  services: readonly ServiceView[],
  keyId: string,
): Promise<KeyResponses | null> {
  const read = (text: string) => KEY_RESPONSES.parse(JSON.parse(text));
  const found = await askGateways(services, `/key-responses/${keyId}`, read);
  return found.length === 0 ? null : addKeyResponses(found.map(({ response }) => response));
}

/** Adds up the responses of several gateways. */
export function addKeyResponses(parts: readonly z.infer<typeof KEY_RESPONSES>[]): KeyResponses {
  const hours = new Map<number, Map<string, number>>();
  for (const { startMs, counts } of parts.flatMap((part) => part.hours)) {
    const sums = hours.get(startMs) ?? new Map<string, number>();
    for (const [code, count] of Object.entries(counts)) sums.set(code, (sums.get(code) ?? 0) + count);
    hours.set(startMs, sums);
  }
  return { sinceMs: Math.max(...parts.map(({ sinceMs }) => sinceMs)), hours };
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

/**
 * What each gateway serves on its ops port. Those that don't respond, or are of a version without that path, are left out: the
 * overview already warns about them.
 */
async function askGateways<Read>(services: readonly ServiceView[], path: string, read: (text: string) => Read) {
  const gateways = services
    .filter(({ service }) => SERVICES.has(service))
    .flatMap(({ processes }) => processes)
    .flatMap((process) => ("problem" in process ? [] : [process]));
  const found = await Promise.all(
    gateways.map(async ({ address, startedUnixSeconds }) => {
      try {
        const { status, text } = await askOpsPort(address, path, LIMITS);
        return status === 200 ? [{ startedUnixSeconds, response: read(text) }] : [];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
