import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CORPUS = join(import.meta.dirname, "corpus");

export interface CorpusFile {
  name: string;
  bytes: Uint8Array;
}

/** The saved inputs of a subject, by name: valid ones to mutate, and all that ever failed. */
export function readCorpus(subject: string): CorpusFile[] {
  const folder = join(CORPUS, subject);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Saves a failing input, unless it is already saved. Every later run tries it. @returns its path. */
export function keepInput(subject: string, bytes: Uint8Array): string {
  const same = readCorpus(subject).find((kept) => Buffer.from(kept.bytes).equals(bytes));
  if (same) return `test/fuzz/corpus/${subject}/${same.name}`;
  const name = `found-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.bin`;
  mkdirSync(join(CORPUS, subject), { recursive: true });
  writeFileSync(join(CORPUS, subject, name), bytes);
  return `test/fuzz/corpus/${subject}/${name}`;
}
