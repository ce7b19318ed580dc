import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import type { DatabaseChoice } from "../databases/installed-databases.ts";
import { readWhole } from "../databases/whole-file.ts";

const REPORT_FILE = "report.json";
/** A report about every country has 300 kB. */
const MAX_REPORT_BYTES = 4_000_000;
const FRESH_MS = 5_000;

/** Where the report about databases is kept: beside the installed versions. Null if they have no such folder. */
export function reportPath(choice: DatabaseChoice): string | null {
  if ("installedIn" in choice) return join(choice.installedIn, REPORT_FILE);
  return choice.kindsFile === undefined ? null : join(dirname(choice.kindsFile), REPORT_FILE);
}

/** Keeps a report, in place of an earlier one. */
export async function saveReport(path: string, report: DataReport): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const prepared = `${path}.${process.pid}`;
  try {
    await writeFile(prepared, JSON.stringify(report));
    await rename(prepared, path);
  } catch (error) {
    await rm(prepared, { force: true });
    throw error;
  }
}

/**
 * Reads the kept report, at most every 5 seconds.
 * @returns a function of nothing: the report's text, unchecked; null if there is none that can be read.
 */
export function createReportReader(path: string | null, clock: Clock): () => Promise<string | null> {
  let known: Promise<string | null> = Promise.resolve(null);
  let rereadAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (path === null || clock() < rereadAtMs) return known;
    rereadAtMs = clock() + FRESH_MS;
    known = readWhole(path, MAX_REPORT_BYTES).then(
      (whole) => whole?.bytes.toString("utf8") ?? null,
      () => null,
    );
    return known;
  };
}
