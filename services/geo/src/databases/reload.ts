import { type PollResult, watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type Database, type OpenedDatabase, openDatabase } from "./database.ts";
import { compareKinds, refuseLoss } from "./reload-installed.ts";

/**
 * Follows one database file. A changed file is checked before it is used; until then, the database
 * in memory stays in use.
 * @param options.current the database in memory.
 * @param options.swap called with the new database.
 * @param options.signal aborts a check.
 */
export function followFile(options: {
  path: string;
  signature: string;
  current: () => Database;
  swap: (opened: OpenedDatabase) => void;
  log: Logger;
  signal?: AbortSignal;
}): () => Promise<PollResult> {
  const { path, signature, current, swap, log, signal } = options;
  return watchFiles({
    paths: [path],
    signature,
    read: async () => {
      const opened = await openDatabase(path, { signal });
      compareKinds(path, current().kinds, opened.database, refuseLoss);
      return opened;
    },
    use: (opened) => {
      swap(opened);
      log.info({ file: path, buildUnixSeconds: opened.database.info.buildUnixSeconds }, "the database was reloaded");
    },
    onMissing: () => log.warn({ file: path }, "the database file is gone; the data in memory stays in use"),
    onRefused: ({ message }) =>
      log.error({ file: path, problem: message }, "the changed database was refused; the old data stay in use"),
    signal,
  });
}
