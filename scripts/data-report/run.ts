import { writeFile } from "node:fs/promises";
import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases } from "@geolookup/geo/databases/installed-databases.ts";
import { MmdbError } from "@geolookup/geo/mmdb/error.ts";
import { makeReport } from "@geolookup/geo/report/make-report.ts";
import { reportPath, saveReport } from "@geolookup/geo/report/report-file.ts";
import { reportFilePage } from "@geolookup/portal/data-report/report-file-page.ts";
import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import type { CommandContext } from "../run-command.ts";
import { readSettings } from "./command-line.ts";
import { openBefore, openCompared, openLoaded } from "./open-files.ts";
import { reportText } from "./text.ts";

const { DATA_DIR, GEO_DATABASES } = GEO_DATA_VARIABLES;

/** Makes the report, keeps it for the console, and prints it. @throws StartError, CommandLineError */
export async function runDataReport({ args, environment, print, printError }: CommandContext): Promise<number> {
  const { compared: comparedPaths, html, isJson } = readSettings(args);
  const say = (line: string) => printError(`data-report: ${line}\n`);
  const variables = readEnvironment(z.object({ DATA_DIR, GEO_DATABASES }), environment);
  const choice = chooseDatabases(variables.GEO_DATABASES, variables.DATA_DIR, false);
  const loaded = await openLoaded(choice);
  const compared = comparedPaths.length === 0 ? undefined : await openCompared(comparedPaths, loaded);
  const before = (await openBefore(choice, say)) ?? undefined;
  const report = makeWithin(() => makeReport({ loaded, compared, before, nowMs: Date.now() }));
  await keep(reportPath(choice), report, say);
  if (html !== null && html !== "-") {
    await writeFile(html, reportFilePage(report));
    say(`wrote ${html}`);
  }
  if (html === "-") print(reportFilePage(report));
  else print(isJson ? `${JSON.stringify(report, null, 1)}\n` : `${reportText(report)}\n`);
  return 0;
}

function makeWithin(make: () => DataReport): DataReport {
  try {
    return make();
  } catch (error) {
    if (error instanceof MmdbError) throw new StartError(`a database can't be reported on: ${error.message}`);
    throw error;
  }
}

async function keep(path: string | null, report: DataReport, say: (line: string) => void): Promise<void> {
  if (path === null) return;
  try {
    await saveReport(path, report);
  } catch (error) {
    say(`the report wasn't kept for the operator console: ${(error as Error).message}`);
  }
}
