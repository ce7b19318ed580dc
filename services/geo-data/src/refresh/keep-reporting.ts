import { join } from "node:path";
import { CURRENT_FILE, type DatabaseChoice } from "@geolookup/geo/databases/installed-databases.ts";
import { hasReport, reportsFolder, storeReport } from "@geolookup/geo/report/report-file.ts";
import { reportInWorkers } from "@geolookup/geo/report/report-in-workers.ts";
import { watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { findBefore, findLoaded } from "./find-files.ts";

/** How often the databases in use are checked. A report is computed at the second check, so that it doesn't slow down startup. */
const INTERVAL_MS = 15_000;
const RETRY_MS = 60 * 60 * 1_000;

export interface ReportingOptions {
  choice: DatabaseChoice;
  log: Logger;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Resolves after this many milliseconds. @throws when the process is to end. */
  wait: (ms: number) => Promise<void>;
  /** Called when a report was made, or couldn't be. */
  afterRun?: () => void;
}

/**
 * Computes the console's report about the databases in use whenever they change, until `wait` throws. A stored report about the
 * same databases is reused. After a failure, it retries an hour later.
 */
export async function keepReporting(options: ReportingOptions): Promise<never> {
  const { choice, log, now, wait, afterRun } = options;
  const folder = reportsFolder(choice);
  const watch = () =>
    watchFiles({
      paths: "files" in choice ? choice.files : [join(choice.installedIn, CURRENT_FILE)],
      signature: "",
      read: async () => {
        const startedMs = now();
        const isMade = folder !== null && (await reportUnlessKept(choice, folder, options));
        return isMade ? Math.round((now() - startedMs) / 1_000) : null;
      },
      use: (seconds) => {
        if (seconds !== null) log.info({ seconds }, "data report made");
      },
      onRefused: ({ message }) => log.info({ problem: message }, "data report failed; trying again in an hour"),
    });
  let poll = watch();
  let retryAtMs = Number.POSITIVE_INFINITY;
  for (;;) {
    await wait(INTERVAL_MS);
    if (now() >= retryAtMs) {
      poll = watch();
      retryAtMs = Number.POSITIVE_INFINITY;
    }
    const result = await poll();
    if (result === "refused") retryAtMs = now() + RETRY_MS;
    if (result !== "unchanged") afterRun?.();
  }
}

/** @returns whether there was none. @throws StartError */
async function reportUnlessKept(
  choice: DatabaseChoice,
  folder: string,
  { log, now }: ReportingOptions,
): Promise<boolean> {
  const nowMs = now();
  const loaded = await findLoaded(choice, nowMs);
  if (
    await hasReport(
      folder,
      loaded.map(({ described }) => described.sha256),
    )
  )
    return false;
  const before = await findBefore(choice, nowMs, (line) => log.info({ problem: line }, "data report without changes"));
  const report = await reportInWorkers({
    sets: { loaded, before: before?.files },
    since: before?.version,
    isParallel: false,
    nowMs,
  });
  await storeReport(folder, report);
  return true;
}
