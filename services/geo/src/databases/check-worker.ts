import { parentPort } from "node:worker_threads";
import { type AddressIndex, buildAddressIndex } from "../mmdb/address-index.ts";
import { MmdbError } from "../mmdb/error.ts";
import { type CheckedDatabase, identify } from "./identify.ts";
import type { KnownFiles } from "./known-files.ts";
import { readWhole, UnreadableFileError } from "./whole-file.ts";

/** A message to the worker. */
export interface WorkerTask {
  path: string;
  maxBytes: number;
  known: KnownFiles;
  wantsWhole: boolean;
}

/** A file that passed the check. */
interface Checked {
  checked: CheckedDatabase;
  signature: string;
  index: AddressIndex;
  /** From the end of the search tree to the end of the data. */
  data: ArrayBuffer;
  whole: ArrayBuffer | null;
}

/** Its reply. An error's class and code don't survive a message between threads, so they are fields here. */
export type WorkerReport =
  | Checked
  | { invalid: Pick<MmdbError, "message" | "remedy"> }
  | { unreadable: { message: string; code: string | undefined; isOurs: boolean } };

parentPort?.on("message", async (task: WorkerTask) => {
  const report = await check(task).catch(describe);
  parentPort?.postMessage(report, "index" in report ? buffersOf(report) : []);
});

async function check({ path, maxBytes, known, wantsWhole }: WorkerTask): Promise<WorkerReport> {
  const file = await readWhole(path, maxBytes);
  if (file === null) throw new MmdbError("it is being written right now");
  const { bytes, signature } = file;
  const { identity, checked } = identify(bytes, known);
  const { metadata } = identity;
  const found =
    checked === null
      ? (await import("./check-database.ts")).checkRecords(bytes, identity)
      : { checked, index: buildAddressIndex(bytes, metadata) };
  const data = bytes.buffer.slice(metadata.searchTreeSize, metadata.dataEnd);
  if (wantsWhole) return { ...found, signature, data, whole: bytes.buffer };
  // Frees the file's memory now: it is too large to leave to garbage collection.
  bytes.buffer.transfer(0);
  return { ...found, signature, data, whole: null };
}

/** What is handed over instead of copied. */
function buffersOf({ index: { starts, codes, farRecords, firsts }, data, whole }: Checked): ArrayBuffer[] {
  return [starts.buffer, codes.buffer, farRecords.buffer, firsts.buffer, data, ...(whole ? [whole] : [])];
}

function describe(error: NodeJS.ErrnoException): WorkerReport {
  const { message, code, syscall } = error;
  if (error instanceof MmdbError) return { invalid: { message, remedy: error.remedy } };
  const isOurs = error instanceof UnreadableFileError;
  if (isOurs || syscall !== undefined) return { unreadable: { message, code, isOurs } };
  throw error;
}
