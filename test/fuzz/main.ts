import { randomInt } from "node:crypto";
import { type CommandContext, CommandLineError, valueOption } from "../../scripts/command-line.ts";
import { runProgram } from "../../scripts/run-command.ts";
import { keepInput } from "./corpus.ts";
import { fuzz } from "./fuzz.ts";
import { SUBJECTS } from "./subjects.ts";

const DEFAULT_MINUTES = 10;
const MAX_MINUTES = 10_000;
const MAX_SEED = 2 ** 31 - 1;

interface FuzzOptions {
  minutes?: string;
  only?: string;
  seed?: string;
}

await runProgram("fuzz", (program, context, act) => {
  program
    .description(
      `Feeds mutated valid and invalid input to everything that reads bytes from outside: ${Object.keys(SUBJECTS).join(", ")}. A \
failing input is minimized and saved in test/fuzz/corpus. Every run, and make test, tries those inputs first: commit it with \
its fix.`,
    )
    .addOption(valueOption("--minutes <n>", `total duration (${DEFAULT_MINUTES})`))
    .addOption(valueOption("--only <names>", "run only these, separated by commas"))
    .addOption(valueOption("--seed <n>", "repeat the inputs of the run that printed this seed"))
    .action((options: FuzzOptions) => act(() => fuzzAll(context, options)));
});

/** Fuzzes the subjects, one after another. @returns 1 if an input failed. @throws CommandLineError */
async function fuzzAll({ print, printError }: CommandContext, options: FuzzOptions): Promise<number> {
  const { minutes, subjects, seed } = settingsOf(options);
  printError(`fuzz: seed ${seed}, ${minutes} min\n`);
  const durationMs = (60_000 * minutes) / subjects.length;
  let status = 0;
  for (const subject of subjects) {
    const { tried, failure } = await fuzz({ subject, seed, durationMs });
    if (failure === null) {
      print(`${subject}: ${tried.toLocaleString("en")} inputs, no failure\n`);
      continue;
    }
    status = 1;
    const kept = failure.input === null ? null : keepInput(subject, Buffer.from(failure.input, "base64"));
    print(`${subject}: ${failure.text}\n${kept ? `The input is saved in ${kept}.\n` : ""}Seed: ${seed}\n`);
  }
  return status;
}

function settingsOf({ minutes = `${DEFAULT_MINUTES}`, only, seed }: FuzzOptions) {
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
