import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { geoDataFolder, pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { CommandContext } from "../../scripts/command-line.ts";
import { runProgram } from "../../scripts/run-command.ts";
import type { Testbed } from "./contestants/contestant.ts";
import { startSites } from "./contestants/start-sites.ts";
import { writePlans } from "./keys.ts";
import { startGenerator } from "./load/start-generator.ts";
import { measureAll, notMeasured } from "./measure.ts";
import { asMarkdown } from "./report.ts";
import { type BenchOptions, type BenchSettings, benchSettings, declareBench } from "./settings.ts";

await runProgram("bench", (program, context, act) => {
  declareBench(program).action((options: BenchOptions) => act(() => runBenchCommand(context, options)));
});

/**
 * Runs the benchmark. A signal stops it.
 * @returns 1 if the figures aren't valid, for example because requests to a contestant failed.
 * @throws StartError, CommandLineError
 */
async function runBenchCommand(
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
    const databases = await prepare(environment, settings.dataDir);
    const { measured, notes } = await measureContestants(settings, databases, say);
    print(asMarkdown(measured, notes));
    return measured.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } catch (error) {
    // Ctrl-C in a terminal also ends the contestants, which causes other errors.
    if (stopped) throw new StartError("stopped", { cause: error });
    throw error;
  }
}

/**
 * Starts and measures the contestants.
 * @param databases paths of the geo databases: IPv4 places, IPv6 places, networks.
 * @param say takes a line about the next step. If it throws, the run ends and everything it started is stopped.
 */
async function measureContestants(settings: BenchSettings, databases: readonly string[], say: (line: string) => void) {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-bench-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const profiles = join(settings.dataDir, "bench", "profiles");
  const environment: Testbed["environment"] = settings.profile
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }
    : {};
  const testbed: Testbed = { folder, databases, plansFile: writePlans(folder), environment };
  const notes: string[] = [];
  const note = (line: string) => {
    notes.push(line);
    say(line);
  };
  const site = opened.use(await startSites(settings, testbed, say, note));
  const generator = opened.use(await startGenerator());
  const measured = site.contestants.map(notMeasured);
  await measureAll(measured, generator, settings, say);
  return { measured, notes };
}

/**
 * Installs missing servers, and fetches the geo data if it is missing. Both print their progress to standard error.
 * @returns the databases for all contestants: those in GEO_DATABASES, otherwise those that `./geolookup data fetch` installed.
 * @throws StartError if one fails, after it printed the reason.
 */
async function prepare(environment: NodeJS.ProcessEnv, dataDir: string): Promise<string[]> {
  await runOrFail(pathOf("../install-test-servers.sh"), [], environment);
  if (environment.GEO_DATABASES) return environment.GEO_DATABASES.split(",").map((path) => path.trim());
  await runOrFail(process.execPath, [pathOf("../../scripts/geo-data/main.ts")], environment);
  const folder = geoDataFolder(dataDir);
  return pathsOf(folder, (await readCurrent(folder)).current);
}

async function runOrFail(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", process.stderr, "inherit"] });
  const [status] = await once(child, "close");
  if (status !== 0) throw new StartError("preparation failed; see above");
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
