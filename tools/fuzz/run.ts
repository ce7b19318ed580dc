import type { CommandContext } from "../../scripts/command-line.ts";
import { keepInput } from "./corpus.ts";
import { fuzz } from "./fuzz.ts";
import { type FuzzOptions, fuzzSettings } from "./settings.ts";

/** Fuzzes the subjects, one after another. @returns 1 if an input failed. @throws CommandLineError */
export async function runFuzzCommand({ print, printError }: CommandContext, options: FuzzOptions): Promise<number> {
  const { minutes, subjects, seed } = fuzzSettings(options);
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
