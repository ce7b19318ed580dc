import { setTimeout as delay } from "node:timers/promises";
import type { Pace } from "../load/drive.ts";
import type { RequestPlan } from "../load/requests.ts";
import type { Generator } from "../load/start-generator.ts";
import { type Messages, microsBetween } from "./counters.ts";
import type { MeasuredCluster } from "./measured-cluster.ts";

/** What to send to each of the first `gateways` gateways. */
export interface LoadPlan {
  requests: RequestPlan;
  gateways: number;
  connections: number;
  /** Per gateway. */
  pace: Pace;
  durationMs: number;
  /** The only status that is expected. */
  status?: number;
}

/** The costs of a load. */
export interface Costs {
  requests: number;
  /** How long CPU time was measured. */
  seconds: number;
  /** How late requests were sent: the 90th percentile. Late ones arrive in bursts, so they are forwarded in fewer messages. */
  latenessMs: number;
  /** CPU time by process, in microseconds. */
  micros: Map<string, number>;
  /** Messages per second; see Messages. */
  perSecond: Record<Exclude<keyof Messages, "atMs">, number>;
}

/**
 * Sends a load and measures what it costs all processes of a cluster.
 * @param generators at least one per gateway that gets load.
 * @throws Error if a response has another status, or none arrives.
 */
export async function measureLoad(
  cluster: MeasuredCluster,
  generators: readonly Generator[],
  plan: LoadPlan,
): Promise<Costs> {
  const { requests, gateways, connections, pace, durationMs, status = 200 } = plan;
  return measured(cluster, async () => {
    const loads = await Promise.all(
      cluster.gatewayPorts.slice(0, gateways).map((port, index) => {
        const generator = generators[index];
        if (!generator) throw new Error("there are fewer load generators than gateways");
        return generator.send({ port, pids: [], requests, connections, durationMs, pace });
      }),
    );
    let [sent, latenessMs] = [0, 0];
    for (const { statuses, failures, lateness } of loads) {
      const others = Object.entries(statuses).filter(([each]) => Number(each) !== status);
      const problems = [...others, ...Object.entries(failures)].map(([what, count]) => `${count} × ${what}`);
      if (problems.length > 0) throw new Error(`unexpected responses: ${problems.join(", ")}`);
      sent += statuses[status] ?? 0;
      if (lateness.count > 0) latenessMs = Math.max(latenessMs, lateness.percentileMs(90));
    }
    return { requests: sent, latenessMs };
  });
}

/** Measures a cluster without load. */
export function measureIdle(cluster: MeasuredCluster, durationMs: number): Promise<Costs> {
  return measured(cluster, async () => {
    await delay(durationMs);
    return { requests: 0, latenessMs: 0 };
  });
}

/** @param work sends requests, and returns how many and how late. */
export async function measured(
  cluster: MeasuredCluster,
  work: () => Promise<Pick<Costs, "requests" | "latenessMs">>,
): Promise<Costs> {
  const messagesBefore = await cluster.messages();
  const [before, startMs] = [cluster.processorMicros(), performance.now()];
  const { requests, latenessMs } = await work();
  const [after, endMs] = [cluster.processorMicros(), performance.now()];
  const messagesAfter = await cluster.messages();
  const seconds = (endMs - startMs) / 1_000;
  // Counts are published even without requests, and while counters are read.
  const wholeSeconds = (messagesAfter.atMs - messagesBefore.atMs) / 1_000;
  const { atMs: _, ...counted } = messagesAfter;
  const perSecond = Object.fromEntries(
    Object.entries(counted).map(([name, value]) => [
      name,
      (value - messagesBefore[name as keyof Messages]) / (/^(nats|usage)/.test(name) ? wholeSeconds : seconds),
    ]),
  ) as Costs["perSecond"];
  const micros = new Map(
    Array.from(after, ([name, threads]) => [name, microsBetween(before.get(name) ?? new Map(), threads)]),
  );
  return { requests, latenessMs, seconds, micros, perSecond };
}

/** The sum of all processes of a kind: `gateway` for `gateway-1` and `gateway-2`. */
export function microsOf({ micros }: Costs, kind: string): number {
  let sum = 0;
  for (const [name, value] of micros) if (name === kind || name.startsWith(`${kind}-`)) sum += value;
  return sum;
}
