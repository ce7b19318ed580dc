import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Load, LoadOrder } from "./generator.ts";

/** The load generator. It is a thread, so that starting and judging contestants doesn't delay requests. */
export interface Generator extends AsyncDisposable {
  /** @throws Error if no load could be sent, which ends the generator. */
  send(order: LoadOrder): Promise<Load>;
}

/** Starts the generator. Resolves once its addresses are ready. */
export async function startGenerator(): Promise<Generator> {
  const worker = new Worker(new URL("generator.ts", import.meta.url));
  await once(worker, "message");
  return {
    async send(order) {
      const load = once(worker, "message");
      worker.postMessage(order);
      return (await load)[0] as Load;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
