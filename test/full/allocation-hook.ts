import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GCProfiler, getHeapStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded by `--import` into a process, and into its threads and child processes, where it does nothing. The first SIGUSR2 starts, the
 * second ends the count of how many bytes of objects it allocates: how much its heap grows between collections.
 */
const folder = process.env.ALLOCATION_REPORTS ?? "";
let since: { usedBytes: number; profiler: GCProfiler } | null = null;

if (isMainThread && !existsSync(join(folder, "loaded.json"))) {
  report("loaded", { pid: process.pid });
  process.on("SIGUSR2", count);
}

function count(): void {
  const usedBytes = getHeapStatistics().used_heap_size;
  if (since === null) {
    const profiler = new GCProfiler();
    profiler.start();
    since = { usedBytes, profiler };
    report("started", {});
    return;
  }
  let allocatedBytes = 0;
  let fromBytes = since.usedBytes;
  const collections = since.profiler.stop()?.statistics ?? [];
  for (const { beforeGC, afterGC } of collections) {
    allocatedBytes += beforeGC.heapStatistics.usedHeapSize - fromBytes;
    fromBytes = afterGC.heapStatistics.usedHeapSize;
  }
  report("ended", { allocatedBytes: allocatedBytes + usedBytes - fromBytes, collections: collections.length });
  since = null;
}

/** Atomic: readers see all of it or nothing. */
function report(name: string, content: object): void {
  const path = join(folder, `${name}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}
