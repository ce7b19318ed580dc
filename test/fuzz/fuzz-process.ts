import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { readCorpus } from "./corpus.ts";
import type { FuzzMessage, FuzzOrder } from "./fuzz.ts";
import { SUBJECTS } from "./subjects.ts";

const CHECK_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 500;

process.once("message", async (order: FuzzOrder) => {
  const heartbeat = setInterval(() => tell({ kind: "alive" }), HEARTBEAT_MS);
  try {
    tell({ kind: "done", ...(await fuzz(order)) });
  } catch (error) {
    tell({ kind: "done", tried: 0, failure: { text: textOf(error), input: null } });
  }
  clearInterval(heartbeat);
  process.disconnect();
});

async function fuzz({ subject: name, seed, durationMs, currentFile }: FuzzOrder) {
  const open = SUBJECTS[name];
  if (!open) throw new Error(`there is no subject ${name}`);
  const corpus = readCorpus(name);
  const subject = await open(corpus.map(({ bytes }) => bytes));
  let tried = 0;
  /** The last check to start. At the time limit, fast-check doesn't wait for it. */
  let last: Promise<void> | undefined;
  const attempt = async (input: Uint8Array) => {
    // The parent reads the input from here if this process dies or hangs.
    writeFileSync(currentFile, input);
    tried += 1;
    last = subject.check(input) ?? undefined;
    if (last) await inTime(last);
  };
  const failed = (error: unknown, input: Uint8Array | null) => ({
    tried,
    failure: { text: textOf(error), input: input && Buffer.from(input).toString("base64") },
  });
  tell({ kind: "begun" });
  for (const { name: file, bytes } of corpus)
    try {
      await attempt(bytes);
    } catch (error) {
      return failed(new Error(`${file}: ${textOf(error)}`), bytes);
    }
  const details = await fc.check(fc.asyncProperty(subject.inputs, attempt), {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: durationMs,
    markInterruptAsFailure: false,
  });
  // If fast-check is interrupted before its first input, it reports a failure without one.
  if (details.counterexample !== null) return failed(details.errorInstance, details.counterexample[0]);
  try {
    await last;
    await subject.finish?.();
  } catch (error) {
    return failed(error, null);
  }
  return { tried, failure: null };
}

async function inTime(checked: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => over.reject(new Error(`the check takes longer than ${CHECK_TIMEOUT_MS} ms`)),
    CHECK_TIMEOUT_MS,
  );
  try {
    await Promise.race([checked, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function tell(message: FuzzMessage): void {
  process.send?.(message);
}
