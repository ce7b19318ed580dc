import { writeFile } from "node:fs/promises";
import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases } from "@geolookup/geo/databases/installed-databases.ts";
import { reportsFolder, storeReport } from "@geolookup/geo/report/report-file.ts";
import { reportInWorkers } from "@geolookup/geo/report/report-in-workers.ts";
import { findBefore, findCompared, findLoaded } from "@geolookup/geo-data/refresh/find-files.ts";
import { reportFilePage } from "@geolookup/portal/data-report/report-file-page.ts";
import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError } from "../command-line.ts";
import { otherFolderWarning } from "../running-services.ts";
import { reportText } from "./text.ts";

const { DATA_DIR, GEO_DATABASES } = GEO_DATA_VARIABLES;

/** What `data report` was asked for. */
export interface ReportOptions {
  compare?: string;
  html?: string;
  json?: boolean;
}

/** Computes the report, stores it for the console, and prints it. @throws StartError, CommandLineError */
export async function runDataReport(
  { environment, print, printError }: CommandContext,
  options: ReportOptions,
): Promise<number> {
  const { compared: comparedPaths, html, isJson } = reportSettings(options);
  const say = (line: string) => printError(`data-report: ${line}\n`);
  const variables = readEnvironment(z.object({ DATA_DIR, GEO_DATABASES }), environment);
  const warning = variables.GEO_DATABASES === undefined ? otherFolderWarning(environment) : null;
  if (warning !== null) say(warning);
  const choice = chooseDatabases(variables.GEO_DATABASES, variables.DATA_DIR, false);
  const nowMs = Date.now();
  const loaded = await findLoaded(choice, nowMs);
  const compared = comparedPaths.length === 0 ? undefined : await findCompared(comparedPaths, loaded, nowMs);
  const before = (await findBefore(choice, nowMs, say)) ?? undefined;
  const report = await reportInWorkers({
    sets: { loaded, compared, before: before?.files },
    since: before?.version,
    isParallel: true,
    nowMs,
  });
  await keep(reportsFolder(choice), report, say);
  if (html !== null && html !== "-") {
    await writeFile(html, reportFilePage(report));
    say(`wrote ${html}`);
  }
  if (html === "-") print(reportFilePage(report));
  else print(isJson ? `${JSON.stringify(report, null, 1)}\n` : `${reportText(report)}\n`);
  return 0;
}

/** @throws CommandLineError */
function reportSettings({ compare, html, json: isJson = false }: ReportOptions) {
  const compared = compare === undefined ? [] : compare.split(",").map((path) => path.trim());
  if (compared.includes("")) throw new CommandLineError("--compare needs the path of a database");
  if (html === "") throw new CommandLineError("--html needs a path, or - for standard output");
  if (html === "-" && isJson)
    throw new CommandLineError("--json and --html - both write to standard output: choose one");
  return { compared, html: html ?? null, isJson };
}

async function keep(folder: string | null, report: DataReport, say: (line: string) => void): Promise<void> {
  if (folder === null) return;
  try {
    await storeReport(folder, report);
  } catch (error) {
    say(`the report wasn't stored for the operator console: ${(error as Error).message}`);
  }
}
