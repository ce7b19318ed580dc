import { availableParallelism } from "node:os";
import { parentPort } from "node:worker_threads";
import { machineMicros, processorMicros } from "../processes.ts";
import { sumOf } from "../statistics.ts";
import { ADDRESSES, spreadAddresses } from "./addresses.ts";
import { type Driven, drive, type Pace } from "./drive.ts";
import { createRequests, type RequestPlan } from "./requests.ts";

/** A load to send. */
export interface LoadOrder {
  port: number;
  requests: RequestPlan;
  connections: number;
  durationMs: number;
  pace: Pace;
  /** The processes whose CPU time is counted. */
  pids: readonly number[];
}

/** The result of a load, and its cost. */
export interface Load extends Driven {
  /** CPU time of each of the contestant's processes, in microseconds. */
  processMicros: number[];
  /** CPU time of the process that generates the load, in microseconds. */
  generatorMicros: number;
  /** The share of the machine's CPU time that other processes used, from 0 to 1. */
  othersShare: number;
}

const SEED = 20_261_121;

const addresses = spreadAddresses(ADDRESSES, SEED);
const requestsOf = new Map<string, () => string>();

parentPort?.on("message", async (order: LoadOrder) => parentPort?.postMessage(await carryOut(order)));
parentPort?.postMessage("ready");

async function carryOut(order: LoadOrder): Promise<Load> {
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
  const othersMicros = machineMicros() - machineStart - sumOf(processMicros) - generatorMicros;
  return { ...driven, processMicros, generatorMicros, othersShare: Math.max(0, othersMicros) / wholeMicros };
}
