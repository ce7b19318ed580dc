import type { DataReport, Family, ReportedDatabase } from "@geolookup/shared/domain/data-report.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { DataKind } from "../databases/data-kinds.ts";
import { openWholeDatabase } from "../databases/database.ts";
import type { KnownFiles } from "../databases/known-files.ts";
import { runWorker } from "../databases/run-worker.ts";
import { databasesFor } from "./families.ts";
import type { FamilyReport, ReportedSets } from "./family-report.ts";
import { describeDatabase, makeReport } from "./make-report.ts";
import type { ReportResult, ReportTask } from "./report-worker.ts";

/** A report is work of low priority: on a busy machine, even the check of a file takes long. */
const TIMEOUT_MS = 60 * 60_000;
/** DB-IP's city files, compared with others and an older version, take half of it. */
const MAX_HEAP_MB = 2_048;

/** A checked file to report on. */
export interface ReportFile {
  path: string;
  kinds: readonly DataKind[];
  hasIpv4: boolean;
  hasIpv6: boolean;
  described: ReportedDatabase;
}

/**
 * Checks and describes files, one after another, so that only one is in memory.
 * @throws StartError naming the first that can't be used.
 */
export async function describeFiles(
  paths: readonly string[],
  { known, nowMs }: { known?: KnownFiles; nowMs: number },
): Promise<ReportFile[]> {
  const files: ReportFile[] = [];
  for (const path of paths) {
    const { database } = await openWholeDatabase(path, { known, checkTimeoutMs: TIMEOUT_MS });
    const { kinds, hasIpv4, hasIpv6 } = database;
    files.push({ path, kinds, hasIpv4, hasIpv6, described: describeDatabase(database, nowMs) });
  }
  return files;
}

/**
 * Reports on files, each family in its own thread, which reads only the files with that family.
 * @param options.since the version of the older files.
 * @param options.isParallel whether both threads run at once: in half the time, with twice the CPU and memory.
 * @throws StartError with one line for the operator.
 */
export async function reportInWorkers(options: {
  sets: ReportedSets<ReportFile>;
  since?: string | undefined;
  isParallel: boolean;
  nowMs: number;
}): Promise<DataReport> {
  const { sets, since, isParallel, nowMs } = options;
  const { loaded, compared, before } = sets;
  const run = async (family: Family): Promise<FamilyReport> => {
    const filesOf = (files: readonly ReportFile[]) =>
      databasesFor(family, files).map(({ path, kinds, described: { sha256 } }) => ({ path, kinds, sha256 }));
    const task: ReportTask = {
      family,
      sets: { loaded: filesOf(loaded), compared: compared && filesOf(compared), before: before && filesOf(before) },
      checkTimeoutMs: TIMEOUT_MS,
    };
    const script = new URL("report-worker.ts", import.meta.url);
    const result = await runWorker<ReportResult>(script, { data: task, maxHeapMb: MAX_HEAP_MB, timeoutMs: TIMEOUT_MS });
    if ("problem" in result) throw new StartError(result.problem);
    return result;
  };
  const first = run("ipv4");
  if (!isParallel) await first;
  const [ipv4, ipv6] = await Promise.all([first, run("ipv6")]);
  const describe = (files: readonly ReportFile[]) => files.map(({ described }) => described);
  return makeReport({
    sets: {
      loaded: describe(loaded),
      compared: compared && describe(compared),
      before: before && describe(before),
    },
    since,
    families: { ipv4, ipv6 },
    nowMs,
  });
}
