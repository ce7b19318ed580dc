import { stat } from "node:fs/promises";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { type Database, openDatabase, signatureOf } from "./database.ts";

/** The answer of one poll of one file; `refused` and `missing` are given once per change. */
export type PollResult = "unchanged" | "reloaded" | "refused" | "missing";

/**
 * Follows one database file. A changed file is opened when two polls in a row saw it the same, checked
 * like any other, and only then used; the database in memory stays until that succeeds.
 * @param swap told of the new database.
 */
export function followFile(options: {
  path: string;
  signature: string;
  swap: (database: Database) => void;
  log: Logger;
}): () => Promise<PollResult> {
  const { path, swap, log } = options;
  /** The state of the file that was dealt with last: in use, or refused. */
  let settled = options.signature;
  let seenAtLastPoll = settled;

  return async () => {
    const current = await currentSignature(path);
    const stable = current === seenAtLastPoll;
    seenAtLastPoll = current;
    if (current === settled || !stable) return "unchanged";
    settled = current;
    if (current === MISSING) {
      log.warn({ file: path }, "the database file is gone; the data in memory stays in use");
      return "missing";
    }
    try {
      const opened = await openDatabase(path);
      settled = opened.signature;
      swap(opened.database);
      log.info({ file: path, buildUnixSeconds: opened.database.info.buildUnixSeconds }, "the database was reloaded");
      return "reloaded";
    } catch (error) {
      log.error(
        { file: path, problem: (error as Error).message },
        "the changed database was refused; the old data stay in use",
      );
      return "refused";
    }
  };
}

const MISSING = "missing";

async function currentSignature(path: string): Promise<string> {
  try {
    return signatureOf(await stat(path, { bigint: true }));
  } catch {
    return MISSING;
  }
}
