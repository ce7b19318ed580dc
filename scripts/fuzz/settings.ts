import { randomInt } from "node:crypto";
import { CommandLineError, readArguments } from "../command-line.ts";
import { SUBJECTS } from "./subjects.ts";

export interface FuzzSettings {
  /** For all subjects together. */
  minutes: number;
  subjects: readonly string[];
  seed: number;
}

const DEFAULT_MINUTES = 10;
const MAX_MINUTES = 10_000;
const MAX_SEED = 2 ** 31 - 1;

export const HELP = `Usage: make fuzz [ARGS="[--minutes ${DEFAULT_MINUTES}] [--only NAME,…] [--seed N]"]

Feeds what reads bytes from outside with variations of good and bad ones: ${Object.keys(SUBJECTS).join(", ")}.
An input for which something doesn't hold is made as small as it can be and kept in test/fuzz/corpus, where every run
tries it first, and so does make test: commit it with its fix.

  --minutes N   for all together (${DEFAULT_MINUTES})
  --only        these alone
  --seed N      the same inputs as another run, which printed it
`;

/** @throws CommandLineError */
export function readFuzzSettings(args: readonly string[]): FuzzSettings {
  const options = { minutes: { type: "string" }, only: { type: "string" }, seed: { type: "string" } } as const;
  const { minutes = `${DEFAULT_MINUTES}`, only, seed } = readArguments(args, options, 0).values;
  const all = Object.keys(SUBJECTS);
  const subjects = only?.split(",") ?? all;
  const unknown = subjects.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new CommandLineError(`--only has ${unknown.join(", ")}; there is ${all.join(", ")}`);
  if (!(Number(minutes) > 0 && Number(minutes) <= MAX_MINUTES))
    throw new CommandLineError("--minutes is a number above 0");
  if (seed !== undefined && !(Number.isInteger(Number(seed)) && Math.abs(Number(seed)) <= MAX_SEED))
    throw new CommandLineError("--seed is a whole number of 32 bits");
  return { minutes: Number(minutes), subjects, seed: seed === undefined ? randomInt(MAX_SEED) : Number(seed) };
}
