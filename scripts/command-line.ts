import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A command line was not understood; the message says what about it. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/**
 * Reads a command's arguments.
 * @param positionals the maximum number of arguments that aren't options.
 * @throws CommandLineError
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  positionals: number,
) {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (read.positionals.length > positionals)
      throw new Error(`${JSON.stringify(read.positionals[positionals])} is one argument too many`);
    return read;
  } catch (error) {
    // The rest of Node's message is advice for programmers.
    throw new CommandLineError((error as Error).message.split(". ")[0]);
  }
}
