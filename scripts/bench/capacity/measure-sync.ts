import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { spreadOf } from "../statistics.ts";

const WRITES = 100;
/** As large as a usage message of a few hundred keys. */
const BLOCK = Buffer.alloc(8_192, 1);

/** How long a write to a file takes until it is on disk, in microseconds: the median. NATS does this for every message it stores. */
export function measureSyncMicros(folder: string): number {
  const path = join(folder, "sync");
  const file = openSync(path, "w");
  try {
    const times = Array.from({ length: WRITES }, () => {
      const startMs = performance.now();
      writeSync(file, BLOCK);
      fsyncSync(file);
      return (performance.now() - startMs) * 1_000;
    });
    return spreadOf(times).median;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
