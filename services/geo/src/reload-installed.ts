import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { type Database, openDatabase } from "./database.ts";
import type { PollResult } from "./follow-changes.ts";
import { CURRENT_FILE, parseCurrent, pathsOf, readCurrentText } from "./installed-databases.ts";

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

/** Opens what is installed in a folder. @returns it with the text of the file that named it. */
export async function openInstalled(folder: string): Promise<{ files: OpenedFile[]; text: string | null }> {
  const text = await readCurrentText(folder);
  return { files: await openFiles(pathsOf(folder, parseCurrent(folder, text))), text };
}

/**
 * Follows which version of the installed data is in use. All databases of a new version are opened and
 * checked, and taken together or not at all; those in memory stay until then.
 * @param options.text what named the version that is in memory.
 * @param options.swap told of the new version's databases.
 */
export function followInstalled(options: {
  folder: string;
  text: string | null;
  swap: (files: OpenedFile[]) => void;
  log: Logger;
}): () => Promise<PollResult> {
  const { folder, swap, log } = options;
  let settled = options.text;
  let seenAtLastPoll = settled;

  return async () => {
    const text = await readCurrentText(folder).catch((error: Error) => error.message);
    const stable = text === seenAtLastPoll;
    seenAtLastPoll = text;
    if (text === settled || !stable) return "unchanged";
    settled = text;
    if (text === null) {
      log.warn({ folder }, `${CURRENT_FILE} is gone; the data in memory stay in use`);
      return "missing";
    }
    try {
      const current = parseCurrent(folder, text);
      swap(await openFiles(pathsOf(folder, current)));
      log.info({ folder, version: current.version }, "another version of the geo data is in use");
      return "reloaded";
    } catch (error) {
      log.error(
        { folder, problem: (error as Error).message },
        "another version of the geo data was refused; the old data stay in use",
      );
      return "refused";
    }
  };
}
