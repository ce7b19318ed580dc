import { fork } from "node:child_process";
import { once } from "node:events";
import type { Driven } from "./drive.ts";
import type { LoadOrder, LoadReport } from "./generator.ts";
import { Histogram } from "./histogram.ts";

/** What came of a load, and what it cost. */
export interface Load extends Driven {
  /** Processor time that the contestant's processes used, in microseconds. */
  contestantMicros: number;
  generatorMicros: number;
  /** The part of the machine's processor time that others had, from 0 to 1. */
  othersShare: number;
}

/** The load generator: a process of its own, so that its work is not taken for a contestant's. */
export interface Generator extends AsyncDisposable {
  /** @throws Error when no load could be sent. */
  send(order: LoadOrder): Promise<Load>;
}

/** Starts the generator; resolves once its addresses are made. */
export async function startGenerator(): Promise<Generator> {
  const child = fork(new URL("generator.ts", import.meta.url), { serialization: "advanced" });
  const exited = once(child, "exit");
  const answer = async (): Promise<unknown> => {
    const [first] = (await Promise.race([once(child, "message"), exited.then(() => [undefined])])) as [unknown];
    if (first === undefined) throw new Error("the load generator has ended");
    return first;
  };
  await answer();
  return {
    async send(order) {
      child.send(order);
      const report = (await answer()) as LoadReport | { error: string };
      if ("error" in report) throw new Error(report.error);
      const { latency, refusedLatency, lateness, ...rest } = report;
      return {
        ...rest,
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
