import { parentPort } from "node:worker_threads";
import { MmdbError } from "../mmdb/error.ts";
import { type CheckedDatabase, identify } from "./identify.ts";
import type { KnownFiles } from "./known-files.ts";
import { readWhole, UnreadableFileError } from "./whole-file.ts";

/** A message to the worker. */
export interface WorkerTask {
  path: string;
  maxBytes: number;
  known: KnownFiles;
}

/** Its reply. An error's class and code don't survive a message between threads, so they are fields here. */
export type WorkerReport =
  | { checked: CheckedDatabase; signature: string; bytes: ArrayBuffer }
  | { invalid: Pick<MmdbError, "message" | "remedy"> }
  | { unreadable: { message: string; code: string | undefined; isOurs: boolean } };

parentPort?.on("message", async (task: WorkerTask) => {
  const report = await check(task).catch(describe);
  parentPort?.postMessage(report, "bytes" in report ? [report.bytes] : []);
});

async function check({ path, maxBytes, known }: WorkerTask): Promise<WorkerReport> {
  const whole = await readWhole(path, maxBytes);
  if (whole === null) throw new MmdbError("it is being written right now");
  const { bytes, signature } = whole;
  const { identity, checked } = identify(bytes, known);
  const { buffer } = bytes;
  if (checked !== null) return { checked, signature, bytes: buffer };
  const { checkRecords } = await import("./check-database.ts");
  return { checked: checkRecords(bytes, identity), signature, bytes: buffer };
}

function describe(error: NodeJS.ErrnoException): WorkerReport {
  const { message, code, syscall } = error;
  if (error instanceof MmdbError) return { invalid: { message, remedy: error.remedy } };
  const isOurs = error instanceof UnreadableFileError;
  if (isOurs || syscall !== undefined) return { unreadable: { message, code, isOurs } };
  throw error;
}
