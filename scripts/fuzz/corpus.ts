import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CORPUS = join(import.meta.dirname, "../../test/fuzz/corpus");

export interface CorpusFile {
  name: string;
  bytes: Uint8Array;
}

/** Inputs of a subject that were kept: good ones to vary, and each that ever failed. In the order of their names. */
export function readCorpus(subject: string): CorpusFile[] {
  const folder = join(CORPUS, subject);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Keeps an input that failed, unless it is there: it is tried in every run from now on. @returns its path. */
export function keepInput(subject: string, bytes: Uint8Array): string {
  const same = readCorpus(subject).find((kept) => Buffer.from(kept.bytes).equals(bytes));
  if (same) return `test/fuzz/corpus/${subject}/${same.name}`;
  const name = `found-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.bin`;
  mkdirSync(join(CORPUS, subject), { recursive: true });
  writeFileSync(join(CORPUS, subject, name), bytes);
  return `test/fuzz/corpus/${subject}/${name}`;
}
