import { basename, join } from "node:path";
import { type PollResult, watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { compareKinds, type DataKind, kindsOf, lostKinds, type OnLoss, refuseLoss } from "./data-kinds.ts";
import { type Database, type OpenedDatabase, openDatabase } from "./database.ts";
import { CURRENT_FILE, pathsOf, readCurrent } from "./installed-databases.ts";
import { kindsOfChecked, knownFiles } from "./known-files.ts";
import { type OpenedFile, openFiles } from "./open-files.ts";

/** The kinds of data that the previous file of a name had; empty if it is new. */
export type KindsOfFile = (name: string) => readonly DataKind[];

/**
 * Opens what is installed in a folder.
 * @param options.threads how many databases are checked at a time; one by default.
 * @param options.kindsBefore the kinds of data that the previous file had; used if the folder has no record.
 * @returns it with the state of the file that named it.
 * @throws StartError
 */
export async function openInstalled(
  folder: string,
  options: { threads?: number; signal?: AbortSignal | undefined; kindsBefore?: KindsOfFile; onLoss: OnLoss },
): Promise<{ files: OpenedFile[]; version: string; signature: string }> {
  const { threads, signal, kindsBefore, onLoss } = options;
  const { current, signature } = await readCurrent(folder);
  const { version, checked } = current;
  const files = await openFiles(pathsOf(folder, current), {
    threads,
    signal,
    known: knownFiles(checked),
  });
  const lost = checked ? lostKinds(kindsOfChecked(checked), kindsOf(files.map(({ database }) => database))) : null;
  if (lost !== null)
    onLoss(
      `the geo data ${version} in ${folder} have no ${lost}, which they had when installed; run "./geolookup data fetch --force" to replace them, or set GEO_DATA_FORCE=on for one start to use them as they are`,
    );
  // If there is a record, ./geolookup data fetch has compared this data with the previous version.
  if (!checked && kindsBefore)
    for (const { path, database } of files) compareKinds(path, kindsBefore(basename(path)), database, onLoss);
  return { files, version, signature };
}

/**
 * Follows which version of the installed data is in use. All databases of a new version are opened and
 * checked, and taken together or not at all; those in memory stay until then.
 * @param options.signature the state of the file that named the version in memory.
 * @param options.kinds the kinds of data in memory from a file of that name.
 * @param options.swap takes the new version's databases.
 * @param options.signal aborts a check.
 */
export function followInstalled(options: {
  folder: string;
  signature: string;
  kinds: KindsOfFile;
  swap: (files: OpenedFile[]) => void;
  log: Logger;
  signal?: AbortSignal;
}): () => Promise<PollResult> {
  const { folder, signature, kinds, swap, log, signal } = options;
  return watchFiles({
    paths: [join(folder, CURRENT_FILE)],
    signature,
    read: () => openInstalled(folder, { signal, kindsBefore: kinds, onLoss: refuseLoss }),
    use: ({ files, version }) => {
      swap(files);
      log.info({ folder, version }, "another version of the geo data is in use");
    },
    onMissing: () => log.warn({ folder }, `${CURRENT_FILE} is gone; the data in memory stay in use`),
    onRefused: ({ message }) =>
      log.error({ folder, problem: message }, "another version of the geo data was refused; the old data stay in use"),
    signal,
  });
}

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
