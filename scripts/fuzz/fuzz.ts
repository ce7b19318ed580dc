import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** No input may block a process's heartbeat this long. */
const SILENCE_TIMEOUT_MS = 45_000;
/** What a subject starts may take its time. */
const START_TIMEOUT_MS = 90_000;

export interface FuzzOrder {
  subject: string;
  seed: number;
  durationMs: number;
  /** Where the input stands that is tried now. */
  currentFile: string;
}

export interface Fuzzed {
  tried: number;
  failure: {
    text: string;
    /** As small as it could be made; null when no single input has failed. Base64. */
    input: string | null;
  } | null;
}

export type FuzzMessage = { kind: "begun" | "alive" } | ({ kind: "done" } & Fuzzed);

/**
 * Tries inputs on a subject in a process of its own, one after the other, its corpus first: the process may hang, run out
 * of memory or crash.
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
      let timer = setTimeout(() => failed("its subject doesn't start"), START_TIMEOUT_MS);
      child.on("message", (message: FuzzMessage) => {
        clearTimeout(timer);
        if (message.kind === "done") return resolve(message);
        timer = setTimeout(() => failed(`hangs: no sign of life for ${SILENCE_TIMEOUT_MS} ms`), SILENCE_TIMEOUT_MS);
      });
      child.once("exit", (code, signal) => failed(`the process has ended (${signal ?? `status ${code}`})`));
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
