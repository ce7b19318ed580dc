import { join } from "node:path";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { type Database, openDatabase } from "./database.ts";
import { followChanges, type PollResult } from "./follow-changes.ts";
import { CURRENT_FILE, pathsOf, readCurrent } from "./installed-databases.ts";

/** A database with the path it was opened from, and the state its file was in. */
export interface OpenedFile {
  path: string;
  database: Database;
  signature: string;
}

/** Opens and checks databases. @throws StartError naming the first that cannot be used. */
export async function openFiles(paths: readonly string[]): Promise<OpenedFile[]> {
  const files: OpenedFile[] = [];
  for (const path of paths) files.push({ path, ...(await openDatabase(path)) });
  return files;
}

/** Opens what is installed in a folder. @returns it with the state of the file that named it. */
export async function openInstalled(
  folder: string,
): Promise<{ files: OpenedFile[]; version: string; signature: string }> {
  const { current, signature } = await readCurrent(folder);
  return { files: await openFiles(pathsOf(folder, current)), version: current.version, signature };
}

/**
 * Follows which version of the installed data is in use. All databases of a new version are opened and
 * checked, and taken together or not at all; those in memory stay until then.
 * @param options.signature the state of the file that named the version in memory.
 * @param options.swap told of the new version's databases.
 */
export function followInstalled(options: {
  folder: string;
  signature: string;
  swap: (files: OpenedFile[]) => void;
  log: Logger;
}): () => Promise<PollResult> {
  const { folder, signature, swap, log } = options;
  return followChanges({
    path: join(folder, CURRENT_FILE),
    signature,
    reload: async () => {
      const opened = await openInstalled(folder);
      swap(opened.files);
      log.info({ folder, version: opened.version }, "another version of the geo data is in use");
      return opened.signature;
    },
    onMissing: () => log.warn({ folder }, `${CURRENT_FILE} is gone; the data in memory stay in use`),
    onRefused: ({ message }) =>
      log.error({ folder, problem: message }, "another version of the geo data was refused; the old data stay in use"),
  });
}
