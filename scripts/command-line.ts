import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

// Node's parseArgs and not commander: commander takes `--json` for the reason in `--reason --json`, and its options have no types.

/** The command line is invalid; the message says why. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

/**
 * Reads a command's arguments. Each option may be given once.
 * @param positionals the maximum number of arguments that aren't options.
 * @throws CommandLineError
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  positionals: number,
) {
  const config = { args: [...args], options, allowPositionals: true };
  // Strict parsing refuses the same input, but its messages are for programmers.
  const given = new Set<string>();
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind !== "option") continue;
    checkOption(token, options[token.name]?.type);
    if (given.has(token.name)) throw new CommandLineError(`${token.rawName} is given more than once`);
    given.add(token.name);
  }
  const read = parseArgs({ ...config, strict: true });
  if (read.positionals.length > positionals)
    throw new CommandLineError(`unexpected argument ${JSON.stringify(read.positionals[positionals])}`);
  return read;
}

/** Whether --help or -h is among the options. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((each) => each === "--help" || each === "-h");
}

function checkOption(
  { rawName, value, inlineValue }: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  type: "string" | "boolean" | undefined,
): void {
  if (type === undefined) throw new CommandLineError(`unknown option ${rawName}`);
  if (type === "boolean" && value !== undefined) throw new CommandLineError(`${rawName} takes no value`);
  if (type === "boolean") return;
  if (value === undefined) throw new CommandLineError(`${rawName} needs a value`);
  if (!inlineValue && value.startsWith("-"))
    throw new CommandLineError(`${rawName} needs a value; write one that starts with "-" as ${rawName}=${value}`);
}
