import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../lifecycle/start-error.ts";

/**
 * Locks a folder for this process, creating it if needed. The kernel holds the lock (fcntl, through SQLite): it ends with
 * the process, and leaves nothing to clean up.
 * @returns the lock, which is released when it is disposed of.
 * @throws StartError if the folder can't be written or another process has locked it.
 */
export function lockFolder(folder: string): Disposable {
  const lock = tryLockFolder(folder);
  if (!lock)
    throw new StartError(`the folder ${folder} is in use by another running process; stop it or choose another folder`);
  return lock;
}

/** Like lockFolder, but returns null if another process has locked the folder. @throws StartError if it can't be written. */
export function tryLockFolder(folder: string): Disposable | null {
  let database: DatabaseSync;
  try {
    makeFolder(folder);
    database = new DatabaseSync(join(folder, "lock"));
  } catch (error) {
    throw new StartError(`cannot write to the folder ${folder}: ${(error as Error).message}`);
  }
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const text = (error as Error).message;
    if (/locked/.test(text)) return null;
    throw new StartError(`cannot write to the folder ${folder}: ${text}`);
  }
  return database;
}

/** Node's recursive mkdir never returns if an existing folder doesn't accept new ones, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(resolve(folder)));
  mkdirSync(folder, { mode: 0o700 });
}
