import { Argument, type Command, InvalidArgumentError, Option } from "commander";

/** Everything a command needs from its process. */
export interface CommandContext {
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}

/** What a command does. @returns the exit status. */
export type Perform = () => Promise<number>;

/** Adds commands to the program. Each of them calls `act` with what it does, instead of doing it. */
export type AddCommands = (program: Command, context: CommandContext, act: (perform: Perform) => void) => void;

/** The command line is invalid; the message says why. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/**
 * An option with a value, which may be given once: commander would use the last one.
 * @param read what the action gets of the value; throws InvalidArgumentError.
 */
export function valueOption(flags: string, description: string, read: (value: string) => unknown = String): Option {
  return new Option(flags, description).argParser((value, previous) => {
    if (previous !== undefined) throw new InvalidArgumentError("It was given before.");
    // Otherwise `--reason --json` would take --json for the reason.
    if (value.startsWith("--")) throw new InvalidArgumentError("It needs a value.");
    return read(value);
  });
}

/** An argument that may not be empty. @param read see valueOption. */
export function requiredArgument(
  name: string,
  description: string,
  read: (value: string) => unknown = String,
): Argument {
  return new Argument(name, description).argParser((value) => {
    if (value === "") throw new InvalidArgumentError("It is empty.");
    return read(value);
  });
}

export const JSON_OPTION = ["--json", "print one JSON document"] as const;

/** What a command prints, for programs and for people. */
export interface Printed {
  json: unknown;
  text: string;
  /** Whether new keys are on standard output. The text then goes to standard error. */
  isBesideKeys?: boolean;
}

/** Prints a document for programs, or text for people. */
export function printResult({ print, printError }: CommandContext, result: Printed, asJson = false): void {
  if (result.isBesideKeys) printError(result.text);
  else print(asJson ? `${JSON.stringify(result.json, null, 2)}\n` : result.text);
}

/** For commands that print what one of a module's functions returns. The module is loaded only for them. */
export function printing<Module>(
  context: CommandContext,
  act: (perform: Perform) => void,
  load: () => Promise<Module>,
): (work: (module: Module) => Promise<Printed>, options: { json?: boolean }) => void {
  return (work, { json }) =>
    act(async () => {
      printResult(context, await work(await load()), json);
      return 0;
    });
}

/** Aligns cells in columns, two spaces apart. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, [...cell].length);
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - [...cell].length))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join("");
}
