import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { OpsTarget } from "@geolookup/shared/runtime/http/ops-targets.ts";
import { type Reading, readingsOf } from "@geolookup/shared/runtime/observability/readings.ts";
import { z } from "zod";
import type { LookUp } from "./node-lookup.ts";

const TIMEOUT_MS = 1_500;
/** However many look at it, every process is asked this often at most. */
const FRESH_MS = 2_000;
/** A status is some kilobytes. */
const MOST_BYTES = 1_000_000;

const STATUS = z.object({
  service: z.string(),
  version: z.string(),
  node: z.string(),
  ready: z.boolean(),
  startedUnixSeconds: z.number(),
  gauges: z.array(z.object({ name: z.string(), labels: z.record(z.string(), z.string()), value: z.number() })),
});

/** What a process says of itself; `trouble`, why it says nothing. */
export type ProcessView = { address: string } & (
  | { version: string; node: string; isReady: boolean; startedUnixSeconds: number; readings: Reading[] }
  | { trouble: string }
);

export interface ServiceView {
  service: string;
  processes: ProcessView[];
}

/** Asks every process of the deployment how it is. Never rejects. @param options.lookUp has a deadline. */
export function createClusterView(options: {
  targets: readonly OpsTarget[];
  clock: Clock;
  lookUp: LookUp;
}): () => Promise<ServiceView[]> {
  const { targets, clock, lookUp } = options;
  let asked: Promise<ServiceView[]> | null = null;
  let askedAtMs = 0;
  return () => {
    if (asked === null || clock() - askedAtMs >= FRESH_MS) {
      askedAtMs = clock();
      asked = lookAt(targets, lookUp, clock() / 1_000);
    }
    return asked;
  };
}

async function lookAt(targets: readonly OpsTarget[], lookUp: LookUp, nowSeconds: number): Promise<ServiceView[]> {
  const views = await Promise.all(
    targets.map(async ({ service, target }) => ({ service, processes: await processesAt(target, lookUp, nowSeconds) })),
  );
  return Array.from(
    Map.groupBy(views, ({ service }) => service),
    ([service, parts]) => ({ service, processes: parts.flatMap(({ processes }) => processes) }),
  );
}

async function processesAt(target: string, lookUp: LookUp, nowSeconds: number): Promise<ProcessView[]> {
  try {
    const nodes = await lookUp(target);
    return await Promise.all(nodes.map((node) => ask(node, nowSeconds)));
  } catch (error) {
    return [{ address: target, trouble: (error as Error).message }];
  }
}

async function ask(address: string, nowSeconds: number): Promise<ProcessView> {
  try {
    const response = await fetch(`http://${address}/status`, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok || text.length > MOST_BYTES) throw new Error(`/status was answered with ${response.status}`);
    const { version, node, ready: isReady, startedUnixSeconds, gauges } = STATUS.parse(JSON.parse(text));
    return { address, version, node, isReady, startedUnixSeconds, readings: readingsOf(gauges, nowSeconds) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { address, trouble: (cause as Error | undefined)?.message ?? message };
  }
}
