import { randomInt } from "node:crypto";
import { CommandLineError, readArguments } from "../command-line.ts";
import { SUBJECTS } from "./subjects.ts";

export interface FuzzSettings {
  /** Total, for all subjects. */
  minutes: number;
  subjects: readonly string[];
  seed: number;
}

const DEFAULT_MINUTES = 10;
const MAX_MINUTES = 10_000;
const MAX_SEED = 2 ** 31 - 1;

export const HELP = `Usage: make fuzz [ARGS="[--minutes ${DEFAULT_MINUTES}] [--only NAME,…] [--seed N]"]

Feeds mutated valid and invalid input to everything that reads bytes from outside: ${Object.keys(SUBJECTS).join(", ")}.
A failing input is minimized and saved in test/fuzz/corpus. Every run, and make test, tries those inputs first: commit
it with its fix.

  --minutes N   total duration (${DEFAULT_MINUTES})
  --only        run only these
  --seed N      repeat the inputs of the run that printed this seed
`;

/** @throws CommandLineError */
export function readFuzzSettings(args: readonly string[]): FuzzSettings {
  const options = { minutes: { type: "string" }, only: { type: "string" }, seed: { type: "string" } } as const;
  const { minutes = `${DEFAULT_MINUTES}`, only, seed } = readArguments(args, options, 0).values;
  const all = Object.keys(SUBJECTS);
  const subjects = only?.split(",") ?? all;
  const unknown = subjects.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new CommandLineError(`unknown subject ${unknown.join(", ")}; the subjects are ${all.join(", ")}`);
  if (!(Number(minutes) > 0 && Number(minutes) <= MAX_MINUTES))
    throw new CommandLineError("--minutes must be a number greater than 0");
  if (seed !== undefined && !(Number.isInteger(Number(seed)) && Math.abs(Number(seed)) <= MAX_SEED))
    throw new CommandLineError("--seed must be a 32-bit integer");
  return { minutes: Number(minutes), subjects, seed: seed === undefined ? randomInt(MAX_SEED) : Number(seed) };
}
