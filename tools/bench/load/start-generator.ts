import { fork } from "node:child_process";
import { once } from "node:events";
import { sumOf } from "../statistics.ts";
import type { Driven } from "./drive.ts";
import type { LoadOrder, LoadReport } from "./generator.ts";
import { Histogram } from "./histogram.ts";

/** The result of a load, and its cost. */
export interface Load extends Driven {
  /** CPU time of each of the contestant's processes, in microseconds. */
  processMicros: number[];
  /** Their sum. */
  contestantMicros: number;
  generatorMicros: number;
  /** The share of the machine's CPU time that other processes used, from 0 to 1. */
  othersShare: number;
}

/** The load generator. It is a separate process, so that its CPU time doesn't count as a contestant's. */
export interface Generator extends AsyncDisposable {
  /** @throws Error if no load could be sent. */
  send(order: LoadOrder): Promise<Load>;
}

/** Starts the generator. Resolves once its addresses are ready. */
export async function startGenerator(): Promise<Generator> {
  const child = fork(new URL("generator.ts", import.meta.url), { serialization: "advanced" });
  const exited = once(child, "exit");
  const nextMessage = async (): Promise<unknown> => {
    const [first] = (await Promise.race([once(child, "message"), exited.then(() => [undefined])])) as [unknown];
    if (first === undefined) throw new Error("the load generator ended unexpectedly");
    return first;
  };
  await nextMessage();
  return {
    async send(order) {
      child.send(order);
      const report = (await nextMessage()) as LoadReport | { error: string };
      if ("error" in report) throw new Error(report.error);
      const { latency, refusedLatency, lateness, ...rest } = report;
      return {
        ...rest,
        contestantMicros: sumOf(rest.processMicros),
        latency: new Histogram(latency),
        refusedLatency: new Histogram(refusedLatency),
        lateness: new Histogram(lateness),
      };
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
