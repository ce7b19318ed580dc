import { addAll } from "../../scripts/program/program.ts";
import { statusOf } from "../../scripts/run-command.ts";

/** The result of a command. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `./geolookup` as its main.ts does, but in this process, which takes a tenth of the CPU time. */
export async function runHere(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<CommandResult> {
  const printed = { stdout: "", stderr: "" };
  const status = await statusOf("geolookup", addAll, args, {
    environment,
    print: (text) => {
      printed.stdout += text;
    },
    printError: (text) => {
      printed.stderr += text;
    },
  });
  return { status, ...printed };
}
