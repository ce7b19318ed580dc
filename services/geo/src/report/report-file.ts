import { hash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type DataReport, dataReport } from "@geolookup/shared/domain/data-report.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { DatabaseChoice } from "../databases/installed-databases.ts";
import { readWhole } from "../databases/whole-file.ts";

/** A report about every country takes 300 kB. */
const MAX_REPORT_BYTES = 4_000_000;
/** One report for each set of databases, so the last 8 sets. */
const MAX_FILES = 8;
const FRESH_MS = 5_000;

/** Where reports about databases are kept: beside the installed versions. Null without such a folder. */
export function reportsFolder(choice: DatabaseChoice): string | null {
  if ("installedIn" in choice) return installedReports(choice.installedIn);
  return choice.kindsFile === undefined ? null : join(dirname(choice.kindsFile), "reports");
}

/** Where reports about the versions that are installed in a folder are kept. */
export function installedReports(folder: string): string {
  return join(folder, "reports");
}

/** The file of the report about databases, by their hashes in priority order. @param folder where reports are kept. */
export function reportFile(folder: string, hashes: readonly string[]): string {
  return join(folder, nameOf(hashes));
}

/** Keeps a report under the hashes of the databases that it is about, in place of an earlier one, and removes the oldest ones. */
export async function storeReport(folder: string, report: DataReport): Promise<void> {
  const hashes = report.databases.map(({ sha256 }) => sha256);
  await mkdir(folder, { recursive: true });
  await replaceFile(reportFile(folder, hashes), JSON.stringify(report), 0o644);
  await removeOldReports(folder);
}

/** Whether there is a report about databases, by their hashes, that can be shown. */
export async function hasReport(folder: string, hashes: readonly string[]): Promise<boolean> {
  const json = await readReport(folder, hashes);
  try {
    return json !== null && dataReport.safeParse(JSON.parse(json)).success;
  } catch {
    return false;
  }
}

/**
 * Reads kept reports, at most every 5 seconds.
 * @returns a function of the hashes of the databases in use, in priority order. It gives the report's text, unchecked; null
 * if there is none that can be read.
 */
export function createReportReader(
  folder: string | null,
  clock: Clock,
): (hashes: readonly string[]) => Promise<string | null> {
  let known: Promise<string | null> = Promise.resolve(null);
  let knownName = "";
  let rereadAtMs = Number.NEGATIVE_INFINITY;
  return (hashes) => {
    if (folder === null || (nameOf(hashes) === knownName && clock() < rereadAtMs)) return known;
    knownName = nameOf(hashes);
    rereadAtMs = clock() + FRESH_MS;
    known = readReport(folder, hashes);
    return known;
  };
}

async function readReport(folder: string, hashes: readonly string[]): Promise<string | null> {
  try {
    const whole = await readWhole(reportFile(folder, hashes), MAX_REPORT_BYTES);
    return whole?.bytes.toString("utf8") ?? null;
  } catch {
    return null;
  }
}

function nameOf(hashes: readonly string[]): string {
  return `${hash("sha256", hashes.join())}.json`;
}

/** Removes all but the newest reports. */
export async function removeOldReports(folder: string): Promise<void> {
  const files: { path: string; writtenMs: number }[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    // Another process may have removed it.
    const stats = await stat(path).catch(() => null);
    if (stats !== null) files.push({ path, writtenMs: stats.mtimeMs });
  }
  files.sort((one, other) => other.writtenMs - one.writtenMs);
  for (const { path } of files.slice(MAX_FILES)) await rm(path, { force: true });
}
