import { parentPort } from "node:worker_threads";

/** Timers of Node go by whole milliseconds, in which 20 requests can be due. A thread that sleeps is exact to some 60 µs. */
const TICK_MS = 0.25;

const never = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  Atomics.wait(never, 0, 0, TICK_MS);
  parentPort?.postMessage(null);
}
