import { type CommandContext, statusOf } from "../../scripts/run-command.ts";

/** The result of a command. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** An operator's command: its name and what its `run.ts` exports. */
export interface Command {
  name: string;
  help: string;
  run: (context: CommandContext) => Promise<number>;
}

/** Runs an operator's command as its main.ts does, but in this process, which takes a tenth of the CPU time. */
export async function runHere(
  { name, help, run }: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const printed = { stdout: "", stderr: "" };
  const status = await statusOf(name, help, run, {
    args,
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
