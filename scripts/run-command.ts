import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { asksForHelp, CommandLineError } from "./command-line.ts";

/** Everything a command needs from its process. */
export interface CommandContext {
  /** The arguments after the program's name. */
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}

/**
 * Runs an operator's command and ends the process. The exit status is what `run` returns, 1 if it failed with an error
 * that the operator can fix, and 2 if the command line is invalid. Errors are one line on standard error.
 * @param help printed for --help.
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
  // Explicitly: after losing an HTTP/2 connection, Node 24 may never exit on its own.
  process.stdout.write("", () => process.exit(status));
}

/**
 * The same without ending the process.
 * @returns the exit status.
 * @throws anything that the operator can't fix and that isn't a network or disk error.
 */
export async function statusOf(
  name: string,
  help: string,
  run: (context: CommandContext) => Promise<number>,
  context: CommandContext,
): Promise<number> {
  if (asksForHelp(context.args)) {
    context.print(help);
    return 0;
  }
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof CommandLineError) {
      context.printError(`${name}: ${error.message}\nFor help: make ${name} ARGS=--help\n`);
      return 2;
    }
    const text = await describeError(error);
    if (text === null) throw error;
    context.printError(`${name}: ${text}\n`);
    return 1;
  }
}

/** The message for the operator; null for bugs, which are shown with their stack. */
async function describeError(error: unknown): Promise<string | null> {
  if (error instanceof StartError || error instanceof ServiceError) return error.message;
  // The NATS client is large, and few commands use it.
  const { describeNatsError } = await import("@geolookup/shared/runtime/nats/problems.ts");
  const natsFailure = describeNatsError(error);
  if (natsFailure !== null) return natsFailure;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? null : message;
}
