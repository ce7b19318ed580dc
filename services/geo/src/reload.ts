import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { type Database, openDatabase } from "./database.ts";
import { followChanges, type PollResult } from "./follow-changes.ts";

/**
 * Follows one database file. A changed file is checked like any other, and only then used; the database
 * in memory stays until that succeeds.
 * @param swap told of the new database.
 */
export function followFile(options: {
  path: string;
  signature: string;
  swap: (database: Database) => void;
  log: Logger;
}): () => Promise<PollResult> {
  const { path, signature, swap, log } = options;
  return followChanges({
    path,
    signature,
    reload: async () => {
      const opened = await openDatabase(path);
      swap(opened.database);
      log.info({ file: path, buildUnixSeconds: opened.database.info.buildUnixSeconds }, "the database was reloaded");
      return opened.signature;
    },
    onMissing: () => log.warn({ file: path }, "the database file is gone; the data in memory stays in use"),
    onRefused: ({ message }) =>
      log.error({ file: path, problem: message }, "the changed database was refused; the old data stay in use"),
  });
}
