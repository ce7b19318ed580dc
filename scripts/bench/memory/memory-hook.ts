import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded by `--import` into every Node process that is measured. It says that it is there; each SIGUSR2 makes it
 * collect all garbage and write down what is left: what a process holds, and not what it has not yet cleared away.
 */
const folder = process.env.MEMORY_REPORTS ?? "";
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

write("started", { pid: process.pid, script: process.argv[1] ?? "" });
process.on("SIGUSR2", () => {
  // What a first collection frees may hold what a second one can.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  write("held", { heldBytes: heapUsed + external, residentBytes: rss });
});

/** Atomic: readers see all of it or nothing. */
function write(name: string, content: object): void {
  const path = join(folder, `${process.pid}.${name}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}
