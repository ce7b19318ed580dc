import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Command, CommanderError } from "commander";
import { type AddCommands, type CommandContext, CommandLineError, type Perform } from "./command-line.ts";

const EXIT_INVALID = 2;

/**
 * Runs a program's command and ends the process. The exit status is what the command returns, 1 if it failed with an error
 * that the operator can fix, and 2 if the command line is invalid. Errors are one line on standard error.
 * @param name of the program.
 */
export async function runProgram(name: string, add: AddCommands): Promise<void> {
  // `doctor | head` closes the pipe early; that isn't a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const status = await statusOf(name, add, process.argv.slice(2), {
    environment: process.env,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
  });
  // Explicitly: after losing an HTTP/2 connection, Node 24 may never exit on its own.
  process.stdout.write("", () => process.exit(status));
}

/**
 * The same without ending the process.
 * @param args after the program's name.
 * @returns the exit status.
 * @throws anything that the operator can't fix and that isn't a network or disk error.
 */
export async function statusOf(
  name: string,
  add: AddCommands,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { print, printError } = context;
  let perform: Perform | undefined;
  const program = new Command(name).exitOverride().helpCommand("help [command]", "show the help of a command");
  program.configureOutput({
    writeOut: print,
    writeErr: printError,
    outputError: () => undefined,
    getOutHelpWidth: () => 100,
  });
  add(program, context, (chosen) => {
    perform = chosen;
  });
  const typed = [...name.split(" "), ...commandIn(program, args)];
  const command = typed.find((each) => each !== "geolookup") ?? "geolookup";
  try {
    program.parse(args, { from: "user" });
    return (await perform?.()) ?? 0;
  } catch (error) {
    // Commander has already printed the help, for --help or for a group without a command.
    if (error instanceof CommanderError && /^commander\.help/.test(error.code)) return error.exitCode && EXIT_INVALID;
    if (error instanceof CommanderError || error instanceof CommandLineError) {
      printError(`${command}: ${error.message.replace(/^error: /, "")}\nFor help: ${typed.join(" ")} --help\n`);
      return EXIT_INVALID;
    }
    const text = await describeError(error);
    if (text === null) throw error;
    printError(`${command}: ${text}\n`);
    return 1;
  }
}

/** The names of the command that arguments choose, as they are typed. */
function commandIn(program: Command, args: readonly string[]): string[] {
  let command: Command | undefined = program;
  const names: string[] = [];
  for (const arg of args) {
    command = command.commands.find((each) => each.name() === arg);
    if (!command) break;
    names.push(arg);
  }
  return names;
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
