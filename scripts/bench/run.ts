import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { CommandContext } from "../run-command.ts";
import { runCapacityBench } from "./capacity/run-capacity-bench.ts";
import { runMemoryBench } from "./memory/run-memory-bench.ts";
import { prepare } from "./prepare.ts";
import { runRefusalsBench } from "./refusals/run-refusals-bench.ts";
import { runRefusedKeysBench } from "./refused-keys/run-refused-keys-bench.ts";
import { runBench } from "./run-bench.ts";
import { type BenchSettings, readBenchSettings } from "./settings.ts";

/**
 * Runs the benchmark selected on the command line. A signal stops it.
 * @returns 1 if requests to a contestant failed. @throws StartError, CommandLineError
 */
export async function runBenchCommand({ args, environment, print, printError }: CommandContext): Promise<number> {
  const settings = readBenchSettings(args, environment);
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      stopped = true;
    });
  const say = (line: string) => {
    if (stopped) throw new StartError("stopped");
    printError(`bench: ${line}\n`);
  };
  const run = chooseRun(settings);
  try {
    await prepare(environment);
    const { markdown, ok } = await run(settings, environment, say);
    print(markdown);
    return ok ? 0 : 1;
  } catch (error) {
    // Ctrl-C in a terminal also ends the contestants, which causes other errors.
    if (stopped) throw new StartError("stopped", { cause: error });
    throw error;
  }
}

function chooseRun({ memory, refusedKeys, refusals, capacity }: BenchSettings) {
  if (memory) return runMemoryBench;
  if (refusedKeys) return runRefusedKeysBench;
  if (refusals) return runRefusalsBench;
  return capacity ? runCapacityBench : runBench;
}
