import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { CommandContext } from "../run-command.ts";
import { FIGURE_VALUES } from "./figures.ts";
import { planCapacity } from "./model/capacity.ts";
import { planJson, planText } from "./report.ts";
import { readCapacitySettings } from "./settings.ts";

/**
 * Prints the resources that a load needs, or checks the model on this machine.
 * @returns 1 if a measurement differs from the model by more than 30 %.
 * @throws CommandLineError, StartError
 */
export async function runCapacity({ args, environment, print, printError }: CommandContext): Promise<number> {
  const settings = readCapacitySettings(args);
  if (settings.kind === "check") {
    // Loaded on demand: an estimate needs neither clusters nor clients.
    const { runCheck } = await import("./check/run-check.ts");
    let isStopped = false;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        isStopped = true;
      });
    // Throwing here ends the check, which then stops everything it started.
    const say = (line: string) => {
      if (isStopped) throw new StartError("stopped");
      printError(`capacity: ${line}\n`);
    };
    const { text, isConfirmed } = await runCheck(environment, say);
    print(text);
    return isConfirmed ? 0 : 1;
  }
  const plan = planCapacity(settings.load, FIGURE_VALUES);
  print(settings.isJson ? planJson(settings.load, plan) : planText(settings.load, plan));
  return 0;
}
