import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type DataReport, dataReport } from "@geolookup/shared/domain/data-report.ts";
import { storeInFolder } from "../databases/bounded-folder.ts";
import type { DatabaseChoice } from "../databases/installed-databases.ts";
import { readWhole } from "../databases/whole-file.ts";

/** A report about every country takes 300 kB. */
const MAX_REPORT_BYTES = 4_000_000;
const FRESH_MS = 5_000;

/** Where reports about databases are kept: beside the installed versions. Null without such a folder. */
export function reportsFolder(choice: DatabaseChoice): string | null {
  if ("installedIn" in choice) return join(choice.installedIn, "reports");
  return choice.kindsFile === undefined ? null : join(dirname(choice.kindsFile), "reports");
}

/** Keeps a report under the hashes of the databases that it is about, in place of an earlier one, and removes the oldest ones. */
export function storeReport(folder: string, report: DataReport): Promise<void> {
  const hashes = report.databases.map(({ sha256 }) => sha256);
  return storeInFolder(folder, nameOf(hashes), JSON.stringify(report));
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
    const whole = await readWhole(join(folder, nameOf(hashes)), MAX_REPORT_BYTES);
    return whole?.bytes.toString("utf8") ?? null;
  } catch {
    return null;
  }
}

function nameOf(hashes: readonly string[]): string {
  return `${hash("sha256", hashes.join())}.json`;
}
