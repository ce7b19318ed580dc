import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { AddressIndex } from "../mmdb/address-index.ts";
import { MmdbError } from "../mmdb/error.ts";
import type { WorkerReport, WorkerTask } from "./check-worker.ts";
import type { CheckedDatabase } from "./identify.ts";
import type { KnownFiles } from "./known-files.ts";
import { UnreadableFileError } from "./whole-file.ts";

const MIN_TIMEOUT_MS = 30_000;
const BYTES_PER_TIMEOUT_MS = 5_000;
/** For decoded values; the file itself is outside the heap. Checking 70 MB needs about 20 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** How long a thread waits for another file. Starting a thread takes longer than checking a small file. */
const IDLE_MS = 1_000;

/** Threads without a task, for the next checks, and what ends each. */
const idle = new Map<Worker, NodeJS.Timeout>();

/** How long the check of a file may take: half a minute, or a second for each 5 MB if that is longer. */
export function timeoutOf(byteLength: number): number {
  return Math.max(MIN_TIMEOUT_MS, Math.ceil(byteLength / BYTES_PER_TIMEOUT_MS));
}

/** A file that passed the check. */
export interface CheckedFile extends CheckedDatabase {
  index: AddressIndex;
  /** What is behind the search tree, exactly as it was checked, in separate memory. */
  data: Buffer;
  /** The whole file, if it was asked for. */
  whole: Buffer | null;
  /** The state of the file, which was the same before and after reading. */
  signature: string;
}

/** The check took too long. On a busy machine, that happens to good files, which must not stay refused. */
export class CheckTimeoutError extends Error {
  readonly remedy = "try again when the machine is less busy,";
}

/**
 * Reads and checks a database in a separate thread, so that this thread isn't blocked, and doesn't hold it up while it
 * is busy. The separate thread is terminated if it takes too long or too much memory.
 * @param maxBytes a larger file is refused.
 * @param options.signal aborts the check.
 * @param options.known files whose records need not be read again.
 * @param options.wantsWhole whether to return the whole file, too.
 * @throws MmdbError, UnreadableFileError, CheckTimeoutError, the system's error or the signal's reason.
 */
export async function checkInWorker(
  path: string,
  maxBytes: number,
  options: {
    signal?: AbortSignal | undefined;
    known?: KnownFiles | undefined;
    timeoutMs?: number | undefined;
    wantsWhole?: boolean;
  } = {},
): Promise<CheckedFile> {
  const { signal, known = {}, wantsWhole = false } = options;
  signal?.throwIfAborted();
  const { timeoutMs = timeoutOf((await stat(path)).size) } = options;
  signal?.throwIfAborted();
  const worker = takeIdle() ?? startWorker();
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReport>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(
    () => reject(new CheckTimeoutError(`its check takes more than ${Math.round(timeoutMs / 1_000)} s`)),
    timeoutMs,
  );
  const onError = (error: NodeJS.ErrnoException) => {
    const tooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reject(tooLarge ? new MmdbError("checking it takes too much memory") : error);
  };
  const onExit = () => reject(new MmdbError("its check ended without a result"));
  worker.once("message", resolve).once("error", onError).once("exit", onExit);
  worker.postMessage({ path, maxBytes, known, wantsWhole } satisfies WorkerTask);
  try {
    const report = await promise;
    if (!("checked" in report)) throw errorOf(report);
    keepIdle(worker);
    const { checked, signature, index, data, whole } = report;
    return { ...checked, signature, index, data: Buffer.from(data), whole: whole && Buffer.from(whole) };
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    worker.off("error", onError).off("exit", onExit);
  }
}

function errorOf(report: Exclude<WorkerReport, { checked: unknown }>): Error {
  if ("invalid" in report) return new MmdbError(report.invalid.message, report.invalid.remedy);
  const { message, code, isOurs } = report.unreadable;
  return isOurs ? new UnreadableFileError(message, code) : Object.assign(new Error(message), { code });
}

function startWorker(): Worker {
  const worker = new Worker(new URL("check-worker.ts", import.meta.url), { resourceLimits: RESOURCE_LIMITS });
  // An idle thread has no other listeners: its failure must not end the process, nor must another check get it.
  worker.on("error", () => {});
  worker.once("exit", () => idle.delete(worker));
  return worker;
}

function takeIdle(): Worker | null {
  const [worker] = idle.keys();
  if (worker === undefined) return null;
  clearTimeout(idle.get(worker));
  idle.delete(worker);
  worker.ref();
  return worker;
}

/** Keeps a thread for a while, without keeping the process alive. A thread that has read a bad file isn't kept. */
function keepIdle(worker: Worker): void {
  worker.unref();
  const end = () => {
    idle.delete(worker);
    void worker.terminate();
  };
  idle.set(worker, setTimeout(end, IDLE_MS).unref());
}
