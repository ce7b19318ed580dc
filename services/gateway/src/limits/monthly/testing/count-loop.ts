import { writeSync } from "node:fs";
import { join } from "node:path";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { Registry } from "@prometheus-io/client";
import { openMeter } from "../meter.ts";
import { quiet as log } from "./usage-folders.ts";
import { openClusterMeter } from "./usage-on-nats.ts";

/**
 * A process for tests to kill. It counts requests of the key `key1`, and of `key2`, which shares its quota, by turns, and writes a dot to standard output for each one that
 * may be served. Arguments: folder, requests, requests per turn of the event loop; for NATS also its URL and the address of
 * the usage service.
 */
const [root = "", requests, requestsPerTurn, natsUrl, usageTarget = ""] = process.argv.slice(2);
const monthlyRequests = 1_000_000_000;
const quota = { id: "key1", monthlyRequests };
let isSecond = false;
const clock = () => Date.parse("2026-05-02T12:00:00Z");
const journals = join(root, "journals");
const meter = await (natsUrl
  ? openClusterMeter({ natsUrl, usageTarget, clock, journals, flushIntervalMs: 5, rotateJournalAtBytes: 10_000 })
  : openFileMeter());
for (let counted = 0; counted < Number(requests); counted += Number(requestsPerTurn))
  await Promise.all(Array.from({ length: Number(requestsPerTurn) }, serve));
await meter[Symbol.asyncDispose]();

async function serve() {
  isSecond = !isSecond;
  const admission = await meter.admit(
    isSecond ? { keyId: "key2", monthlyRequests, quota } : { keyId: "key1", monthlyRequests },
  );
  if (!admission.admitted) throw new Error("refused");
  await admission.count();
  report();
}

async function openFileMeter() {
  await using opened = new AsyncDisposableStack();
  const usageLog = opened.use(
    await openFileUsageLog({ folder: join(root, "usage-log"), log, clock, compactAtBytes: 20_000 }),
  );
  const { admit } = opened.use(
    await openMeter({
      folder: journals,
      usageLog,
      clock,
      log,
      registry: new Registry(),
      flushIntervalMs: 5,
      rotateJournalAtBytes: 10_000,
    }),
  );
  const held = opened.move();
  return { admit, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Waits until the pipe accepts it: the parent may be slow to read. */
function report(): void {
  for (;;) {
    try {
      writeSync(1, ".");
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
