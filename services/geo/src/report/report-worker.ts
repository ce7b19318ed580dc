import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Family } from "@geolookup/shared/domain/data-report.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { DataKind } from "../databases/data-kinds.ts";
import { openWholeDatabase, type WholeDatabase } from "../databases/database.ts";
import { MmdbError } from "../mmdb/error.ts";
import { type FamilyReport, type ReportedSets, reportOnFamily } from "./family-report.ts";

/** A file that has been checked. */
interface CheckedFile {
  path: string;
  /** Hexadecimal. */
  sha256: string;
  kinds: readonly DataKind[];
}

/** What to report on. */
export interface ReportTask {
  family: Family;
  sets: ReportedSets<CheckedFile>;
  checkTimeoutMs: number;
}

export type ReportResult = FamilyReport | { problem: string };

const { family, sets, checkTimeoutMs } = workerData as ReportTask;

async function open(files: readonly CheckedFile[]): Promise<WholeDatabase[]> {
  const databases: WholeDatabase[] = [];
  for (const { path, kinds, sha256 } of files) {
    const opened = await openWholeDatabase(path, { known: { [sha256]: kinds }, checkTimeoutMs });
    if (opened.sha256 !== sha256) throw new StartError(`the database file ${path} has just changed`);
    databases.push(opened.database);
  }
  return databases;
}

async function report(): Promise<ReportResult> {
  try {
    return reportOnFamily(family, {
      loaded: await open(sets.loaded),
      compared: sets.compared && (await open(sets.compared)),
      before: sets.before && (await open(sets.before)),
    });
  } catch (error) {
    if (error instanceof MmdbError) return { problem: `a database can't be reported on: ${error.message}` };
    if (error instanceof StartError) return { problem: error.message };
    throw error;
  }
}

try {
  // Requests to a service on the same machine have priority. On Linux this is about this thread only.
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // If that isn't allowed, the report competes for the CPU.
}
parentPort?.postMessage(await report());
