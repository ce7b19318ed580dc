import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type Database, openDatabase } from "./database.ts";
import { followChanges, type PollResult } from "./follow-changes.ts";
import { compareKinds, refuseLoss } from "./reload-installed.ts";

/**
 * Follows one database file. A changed file is checked like any other, and only then used; the database
 * in memory stays until that succeeds.
 * @param options.current the database in memory.
 * @param options.swap told of the new database.
 * @param options.signal aborts a check.
 */
export function followFile(options: {
  path: string;
  signature: string;
  current: () => Database;
  swap: (database: Database) => void;
  log: Logger;
  signal?: AbortSignal;
}): () => Promise<PollResult> {
  const { path, signature, current, swap, log, signal } = options;
  return followChanges({
    path,
    signature,
    reload: async () => {
      const opened = await openDatabase(path, { signal });
      compareKinds(path, current().kinds, opened.database, refuseLoss);
      swap(opened.database);
      log.info({ file: path, buildUnixSeconds: opened.database.info.buildUnixSeconds }, "the database was reloaded");
      return opened.signature;
    },
    onMissing: () => log.warn({ file: path }, "the database file is gone; the data in memory stays in use"),
    onRefused: ({ message }) =>
      log.error({ file: path, problem: message }, "the changed database was refused; the old data stay in use"),
    signal,
  });
}
