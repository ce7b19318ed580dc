import { parentPort } from "node:worker_threads";
import { MmdbError } from "../mmdb/error.ts";
import { type CheckedDatabase, checkDatabase } from "./check-database.ts";
import type { KnownFiles } from "./known-files.ts";

/** A message to the worker. */
export interface WorkerTask {
  bytes: ArrayBuffer;
  known: KnownFiles | undefined;
}

/** Its reply. The bytes are returned only if they passed. */
export type WorkerReport =
  | { checked: CheckedDatabase; bytes: ArrayBuffer }
  | { problem: string; remedy: string | undefined };

parentPort?.on("message", ({ bytes, known }: WorkerTask) => {
  try {
    const checked = checkDatabase(Buffer.from(bytes), known);
    parentPort?.postMessage({ checked, bytes } satisfies WorkerReport, [bytes]);
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    parentPort?.postMessage({ problem: error.message, remedy: error.remedy } satisfies WorkerReport);
  }
});
