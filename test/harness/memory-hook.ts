import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded by `--import` into every measured Node process. It reports that the process has started. On each SIGUSR2, it collects all
 * garbage and writes how much memory remains in use. Worker threads also load it, but report nothing.
 */
const folder = process.env.MEMORY_REPORTS ?? "";
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

if (isMainThread) write("started", { pid: process.pid, script: process.argv[1] ?? "" });
process.on("SIGUSR2", () => {
  // The first collection can make more objects collectable.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  write("held", { heldBytes: heapUsed + external, residentBytes: rss });
});

/** Writes a file atomically. */
function write(name: string, content: object): void {
  const path = join(folder, `${process.pid}.${name}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}
