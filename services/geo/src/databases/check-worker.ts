import { parentPort, workerData } from "node:worker_threads";
import { MmdbError } from "../mmdb/error.ts";
import { type CheckedDatabase, checkDatabase } from "./check-database.ts";
import type { KnownFiles } from "./known-files.ts";

/** The worker's input. */
export interface WorkerTask {
  bytes: ArrayBuffer;
  known: KnownFiles | undefined;
}

/** The worker's result. The bytes are returned only if they passed. */
export type WorkerReport =
  | { checked: CheckedDatabase; bytes: ArrayBuffer }
  | { problem: string; remedy: string | undefined };

const { bytes, known } = workerData as WorkerTask;
try {
  const checked = checkDatabase(Buffer.from(bytes), known);
  parentPort?.postMessage({ checked, bytes } satisfies WorkerReport, [bytes]);
} catch (error) {
  if (!(error instanceof MmdbError)) throw error;
  parentPort?.postMessage({ problem: error.message, remedy: error.remedy } satisfies WorkerReport);
}
