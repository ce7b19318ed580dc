import { availableParallelism } from "node:os";
import { machineMicros, processorMicros } from "../processes.ts";
import { sumOf } from "../statistics.ts";
import { ADDRESSES, spreadAddresses } from "./addresses.ts";
import { type Driven, drive, type Pace } from "./drive.ts";
import { createRequests, type RequestPlan } from "./requests.ts";

/** A load to send, which the bench requests over IPC. */
export interface LoadOrder {
  port: number;
  requests: RequestPlan;
  connections: number;
  durationMs: number;
  pace: Pace;
  /** The processes whose CPU time is counted. */
  pids: readonly number[];
}

type Histograms = "latency" | "refusedLatency" | "lateness";

/** The response to a LoadOrder, with histograms as their counts. */
export interface LoadReport extends Omit<Driven, Histograms>, Record<Histograms, number[]> {
  /** CPU time of each of the contestant's processes, in microseconds. */
  processMicros: number[];
  /** CPU time of this process, in microseconds. */
  generatorMicros: number;
  /** The share of the machine's CPU time that other processes used, from 0 to 1. */
  othersShare: number;
}

const SEED = 20_261_121;

const addresses = spreadAddresses(ADDRESSES, SEED);
const requestsOf = new Map<string, () => string>();

process.on("message", async (order: LoadOrder) => {
  try {
    process.send?.(await carryOut(order));
  } catch (error) {
    process.send?.({ error: (error as Error).message });
  }
});
process.send?.("ready");

async function carryOut(order: LoadOrder): Promise<LoadReport> {
  const name = `${order.port} ${order.requests.path} ${order.requests.keys.length}`;
  const nextRequest = requestsOf.get(name) ?? createRequests(order.requests, addresses, requestsOf.size);
  requestsOf.set(name, nextRequest);
  const starts = order.pids.map(processorMicros);
  const generatorStart = process.cpuUsage();
  const machineStart = machineMicros();
  const startMs = performance.now();
  const driven = await drive({ ...order, nextRequest });
  const { user, system } = process.cpuUsage(generatorStart);
  const processMicros = order.pids.map((pid, index) => processorMicros(pid) - (starts[index] ?? 0));
  const generatorMicros = user + system;
  const wholeMicros = (performance.now() - startMs) * 1_000 * availableParallelism();
  return {
    ...driven,
    latency: driven.latency.toCounts(),
    refusedLatency: driven.refusedLatency.toCounts(),
    lateness: driven.lateness.toCounts(),
    processMicros,
    generatorMicros,
    othersShare: Math.max(0, machineMicros() - machineStart - sumOf(processMicros) - generatorMicros) / wholeMicros,
  };
}
