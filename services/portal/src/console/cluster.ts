import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { askOpsPort, type OpsTarget } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { type Reading, readingsOf } from "@geolookup/shared/runtime/observability/readings.ts";
import { z } from "zod";
import { reuse } from "../deployment/services.ts";

/** How long a status is reused. */
const FRESH_MS = 2_000;
const DNS_TIMEOUT_MS = 1_500;
/** A status has a few kilobytes. */
const LIMITS = { timeoutMs: 1_500, maxBytes: 1_000_000 };

const STATUS = z.object({
  service: z.string(),
  version: z.string(),
  node: z.string(),
  ready: z.boolean(),
  startedUnixSeconds: z.number(),
  gauges: z.array(z.object({ name: z.string(), labels: z.record(z.string(), z.string()), value: z.number() })),
});

/** The status of a process, or why it is unavailable. */
export type ProcessView = { address: string } & (
  | { version: string; node: string; isReady: boolean; startedUnixSeconds: number; readings: Reading[] }
  | { problem: string }
);

export interface ServiceView {
  service: string;
  processes: ProcessView[];
}

/** Collects the status of every process of the deployment. Never rejects. */
export type ClusterView = () => Promise<ServiceView[]>;

/** @param resolve must have a deadline. */
export function createClusterView(
  targets: readonly OpsTarget[],
  clock: Clock,
  resolve: Resolve = resolveWithin(DNS_TIMEOUT_MS, nodesOf),
): ClusterView {
  return reuse(FRESH_MS, clock, () => collect(targets, resolve, clock() / 1_000));
}

/** What needs attention: processes that don't respond or aren't ready, and bad readings. */
export function warningsOf(services: readonly ServiceView[]): { process: string; text: string }[] {
  return services.flatMap(({ service, processes }) =>
    processes.flatMap((process) => {
      const warning = (text: string) => ({ process: `${service} at ${process.address}`, text });
      if ("problem" in process) return [warning(`it isn't responding: ${process.problem}`)];
      const readings = process.readings.filter(({ bad }) => bad).map(({ text }) => warning(text));
      return process.isReady ? readings : [warning("it isn't ready"), ...readings];
    }),
  );
}

async function collect(targets: readonly OpsTarget[], resolve: Resolve, nowSeconds: number): Promise<ServiceView[]> {
  const views = await Promise.all(
    targets.map(async ({ service, target }) => ({
      service,
      processes: await processesAt(target, resolve, nowSeconds),
    })),
  );
  return Array.from(
    Map.groupBy(views, ({ service }) => service),
    ([service, parts]) => ({ service, processes: parts.flatMap(({ processes }) => processes) }),
  );
}

async function processesAt(target: string, resolve: Resolve, nowSeconds: number): Promise<ProcessView[]> {
  try {
    const nodes = await resolve(target);
    return await Promise.all(nodes.map((node) => fetchStatus(node, nowSeconds)));
  } catch (error) {
    return [{ address: target, problem: (error as Error).message }];
  }
}

async function fetchStatus(address: string, nowSeconds: number): Promise<ProcessView> {
  try {
    const { status, text } = await askOpsPort(address, "/status", LIMITS);
    if (status !== 200) throw new Error(`/status returned ${status}`);
    const { version, node, ready: isReady, startedUnixSeconds, gauges } = STATUS.parse(JSON.parse(text));
    return { address, version, node, isReady, startedUnixSeconds, readings: readingsOf(gauges, nowSeconds) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { address, problem: (cause as Error | undefined)?.message ?? message };
  }
}

/** Resolves a target to the `address:port` of every node behind it. */
export type Resolve = (target: string) => Promise<string[]>;

/**
 * Adds a deadline. Each target is only resolved once at a time, because the system resolver can't be canceled and has
 * few threads.
 * @returns a function that also throws Error when there is no response within `timeoutMs`.
 */
export function resolveWithin(timeoutMs: number, resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<string[]>>();
  return async (target) => {
    const resolving = pending.get(target) ?? resolve(target).finally(() => pending.delete(target));
    pending.set(target, resolving);
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      const message = `${target} can't be resolved: no DNS response within ${timeoutMs} ms`;
      timer = setTimeout(() => reject(new Error(message)), timeoutMs);
    });
    try {
      return await Promise.race([resolving, expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}
