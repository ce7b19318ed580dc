import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { describeNatsError } from "@geolookup/shared/runtime/nats/problems.ts";
import { CommandLineError } from "./command-line.ts";

/** What a command is run with. */
export interface CommandContext {
  /** The arguments after the program's name. */
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}

/**
 * Runs an operator's command in this process, prints its failure in the operator's words and ends the process: with
 * what `run` gives, 1 when it failed, 2 when the command line was not understood.
 * @param help is printed for --help.
 */
export async function runCommand(
  name: string,
  help: string,
  run: (context: CommandContext) => Promise<number>,
): Promise<void> {
  const context: CommandContext = {
    args: process.argv.slice(2),
    environment: process.env,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
  };
  // `doctor | head` closes the pipe early; that isn't a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const status = await statusOf(name, help, run, context);
  // Ends by itself here: with an HTTP/2 connection just lost, Node 24 may never find its own end.
  process.stdout.write("", () => process.exit(status));
}

/**
 * The same without the process: what a command does with a context, and the status it ends with.
 * @throws anything that the operator can't fix and that isn't a network or disk error.
 */
export async function statusOf(
  name: string,
  help: string,
  run: (context: CommandContext) => Promise<number>,
  context: CommandContext,
): Promise<number> {
  if (context.args.includes("--help") || context.args.includes("-h")) {
    context.print(help);
    return 0;
  }
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof CommandLineError) {
      context.printError(`${name}: ${error.message}\n\n${help}`);
      return 2;
    }
    const text = wordsOf(error);
    if (text === null) throw error;
    context.printError(`${name}: ${text}\n`);
    return 1;
  }
}

/** Null for bugs: their stack is worth more than one line. */
function wordsOf(error: unknown): string | null {
  if (error instanceof StartError || error instanceof ServiceError) return error.message;
  const natsFailure = describeNatsError(error);
  if (natsFailure !== null) return natsFailure;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? null : message;
}
