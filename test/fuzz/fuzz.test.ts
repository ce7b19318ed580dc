import { randomInt } from "node:crypto";
import { expect } from "chai";
import { type Fuzzed, fuzz } from "./fuzz.ts";
import { SUBJECTS } from "./subjects.ts";

/** Each also tries its whole corpus first. */
const DURATION_MS = 400;
const TIMEOUT_MS = 120_000;
/** These wait for processes that they start, so they run while the others do. */
const SLOW_TO_START = ["protobufs", "http"];
const SEED = randomInt(2 ** 31 - 1);

describe(`fuzzing, with the seed ${SEED}`, function () {
  this.timeout(TIMEOUT_MS);
  const begun = new Map<string, Promise<Fuzzed>>();
  const begin = (subject: string) => {
    const running = begun.get(subject) ?? fuzz({ subject, seed: SEED, durationMs: DURATION_MS });
    begun.set(subject, running);
    return running;
  };
  before("start the slow ones", () => {
    for (const subject of SLOW_TO_START) void begin(subject);
  });

  for (const subject of Object.keys(SUBJECTS).sort((a, b) => SLOW_TO_START.indexOf(a) - SLOW_TO_START.indexOf(b)))
    it(`${subject}: passes with its corpus and new input`, async () => {
      const { tried, failure } = await begin(subject);
      if (failure)
        throw new Error(`${failure.text}\nmake fuzz ARGS="--only ${subject} --seed ${SEED}" keeps the input`);
      expect(tried).to.be.above(1);
    });
});
