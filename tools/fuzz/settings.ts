import { randomInt } from "node:crypto";
import type { Command } from "commander";
import { CommandLineError, valueOption } from "../../scripts/command-line.ts";
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

/** The options of `make fuzz`. */
export interface FuzzOptions {
  minutes?: string;
  only?: string;
  seed?: string;
}

/** Declares the options of `make fuzz`. */
export function declareFuzz(program: Command): Command {
  return program
    .description(
      `Feeds mutated valid and invalid input to everything that reads bytes from outside: ${Object.keys(SUBJECTS).join(", ")}. A \
failing input is minimized and saved in test/fuzz/corpus. Every run, and make test, tries those inputs first: commit it with \
its fix.`,
    )
    .addOption(valueOption("--minutes <n>", `total duration (${DEFAULT_MINUTES})`))
    .addOption(valueOption("--only <names>", "run only these, separated by commas"))
    .addOption(valueOption("--seed <n>", "repeat the inputs of the run that printed this seed"));
}

/** @throws CommandLineError */
export function fuzzSettings({ minutes = `${DEFAULT_MINUTES}`, only, seed }: FuzzOptions): FuzzSettings {
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
