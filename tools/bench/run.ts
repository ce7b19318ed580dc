import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { CommandContext } from "../../scripts/command-line.ts";
import { findDatabases, prepare } from "./prepare.ts";
import { type BenchReport, runBench } from "./run-bench.ts";
import { type BenchOptions, type BenchSettings, benchSettings } from "./settings.ts";

/**
 * Runs the benchmark. A signal stops it.
 * @returns 1 if the figures aren't valid, for example because requests to a contestant failed.
 * @throws StartError, CommandLineError
 */
export async function runBenchCommand(
  { environment, print, printError }: CommandContext,
  options: BenchOptions,
): Promise<number> {
  const settings = benchSettings(options, environment);
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      stopped = true;
    });
  const say = (line: string) => {
    if (stopped) throw new StartError("stopped");
    printError(`bench: ${line}\n`);
  };
  try {
    await prepare(environment);
    const databases = await findDatabases(environment, settings.dataDir);
    using opened = new DisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "geolookup-bench-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const report = await runBench({ settings, databases, folder, say });
    say(`written to ${writeReport(settings, report)}`);
    print(report.markdown);
    return report.ok ? 0 : 1;
  } catch (error) {
    // Ctrl-C in a terminal also ends the contestants, which causes other errors.
    if (stopped) throw new StartError("stopped", { cause: error });
    throw error;
  }
}

/** @returns the folder. */
function writeReport({ dataDir }: BenchSettings, { markdown, json }: BenchReport): string {
  const folder = join(dataDir, "bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "latest.md"), markdown);
  writeFileSync(join(folder, "latest.json"), json);
  return folder;
}
