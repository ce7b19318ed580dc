import { parentPort } from "node:worker_threads";

/** Node's timers have millisecond resolution, in which 20 requests can be due. A sleeping thread is exact to about 60 µs. */
const TICK_MS = 0.25;

const never = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  Atomics.wait(never, 0, 0, TICK_MS);
  parentPort?.postMessage(null);
}
