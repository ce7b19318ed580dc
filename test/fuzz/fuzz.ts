import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Arbitrary } from "fast-check";

/** A reader of untrusted bytes, and the properties that must hold for any input. */
export interface FuzzSubject {
  /** Generates inputs. They are bytes, so that they can be saved in files. */
  inputs: Arbitrary<Uint8Array>;
  /** @throws Error if the input fails. */
  check(input: Uint8Array): void | Promise<void>;
  /** Checks the properties that must hold after all inputs, and closes everything the subject opened. @throws Error */
  finish?(): Promise<void>;
}

/** @param corpus saved inputs to mutate. */
export type OpenSubject = (corpus: readonly Uint8Array[]) => FuzzSubject | Promise<FuzzSubject>;

/** An input that blocks the heartbeat this long has failed. */
const SILENCE_TIMEOUT_MS = 45_000;
/** Long enough for subjects that start servers. */
const START_TIMEOUT_MS = 90_000;

export interface FuzzOrder {
  subject: string;
  seed: number;
  durationMs: number;
  /** The file that contains the current input. */
  currentFile: string;
}

export interface Fuzzed {
  tried: number;
  failure: {
    text: string;
    /** The failing input, minimized, in Base64; null if no single input failed. */
    input: string | null;
  } | null;
}

export type FuzzMessage = { kind: "begun" | "alive" } | ({ kind: "done" } & Fuzzed);

/**
 * Tries inputs on a subject, one at a time, the corpus first. Runs in a separate process, because it may hang, run out of
 * memory or crash.
 */
export async function fuzz(order: Omit<FuzzOrder, "currentFile">): Promise<Fuzzed> {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-fuzz-"));
  const currentFile = join(folder, "input");
  const child = fork(new URL("fuzz-process.ts", import.meta.url), { execArgv: ["--max-old-space-size=1024"] });
  try {
    return await new Promise<Fuzzed>((resolve) => {
      const failed = (text: string) => {
        const input = readOrNull(currentFile)?.toString("base64") ?? null;
        resolve({ tried: 0, failure: { text, input } });
      };
      let timer = setTimeout(() => failed("the subject didn't start in time"), START_TIMEOUT_MS);
      child.on("message", (message: FuzzMessage) => {
        clearTimeout(timer);
        if (message.kind === "done") return resolve(message);
        timer = setTimeout(
          () => failed(`the process hung: no heartbeat for ${SILENCE_TIMEOUT_MS} ms`),
          SILENCE_TIMEOUT_MS,
        );
      });
      child.once("exit", (code, signal) => failed(`the process ended unexpectedly (${signal ?? `status ${code}`})`));
      child.send({ ...order, currentFile } satisfies FuzzOrder);
    });
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
