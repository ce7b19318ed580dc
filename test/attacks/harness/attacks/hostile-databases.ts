import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { pause } from "../at-rate.ts";
import type { Target } from "../target.ts";
import { type Attack, createTally } from "./attack.ts";

const LOOK_INTERVAL_MS = 50;
/** A changed file is noticed within a second, and refused within five. */
const REFUSED_TIMEOUT_MS = 8_000;

/**
 * Replaces a live database with files that exhaust a careless reader's time or memory. Each must be refused, while lookups
 * continue with the data in memory.
 * @param files by what is hostile in them.
 */
export function hostileDatabases(files: Readonly<Record<string, () => Buffer>>): Attack {
  return {
    name: "hostile-databases",
    about: `a live database is replaced with hostile files: ${Object.keys(files).join(", ")}`,
    async run(target, signal) {
      const { database } = target.inside;
      const good = readFileSync(database);
      const tally = createTally();
      const problems: string[] = [];
      for (const [what, make] of Object.entries(files)) {
        if (signal.aborted) break;
        replace(database, make());
        if (await isRefused(target)) tally.add("files refused");
        else problems.push(`${what}: not refused within ${REFUSED_TIMEOUT_MS / 1_000} s`);
      }
      replace(database, good);
      return { tally: tally.counts, problems };
    },
  };
}

async function isRefused(target: Target): Promise<boolean> {
  const { output } = target.inside;
  const before = output().length;
  const deadline = AbortSignal.timeout(REFUSED_TIMEOUT_MS);
  while (await pause(LOOK_INTERVAL_MS, deadline)) if (/refused/.test(output().slice(before))) return true;
  return false;
}

/** Replaces a file atomically. */
function replace(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
