import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../lifecycle/start-error.ts";
import type { Logger } from "../observability/log.ts";

/** How long a killed process may take to exit. Shorter than the close timeout, so SIGTERM needn't interrupt the wait. */
const RELEASE_TIMEOUT_MS = 8_000;
const RETRY_MS = 50;
/** The file in a folder that is locked. */
export const LOCK_FILE = "lock";

/** The type of Linux's /proc. */
const PROC_TYPE = 0x9fa0;

/**
 * Checks whether lockFolder could write to a folder, or create it. Creates nothing.
 * @throws StartError if it couldn't.
 */
export function checkFolder(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} isn't a folder`);
    accessSync(existing, constants.W_OK | constants.X_OK);
    // Root has access, but can't create anything there.
    if (statfsSync(existing).type === PROC_TYPE) throw new Error(`nothing can be created in ${existing}`);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/**
 * Locks a folder for this process, creating it if needed. The kernel holds the lock (fcntl, through SQLite): it ends with the
 * process, and there is nothing to clean up.
 * @returns the lock, which is released when it is disposed of.
 * @throws StartError if the folder can't be written or another process has locked it.
 */
export function lockFolder(folder: string): Disposable {
  const lock = tryLockFolder(folder);
  if (!lock)
    throw new StartError(`the folder ${folder} is in use by another running process; stop it or choose another folder`);
  return lock;
}

/**
 * Like lockFolder, but waits a few seconds: a process may start before its predecessor has released the folder.
 */
export async function lockFolderWhenReleased(
  folder: string,
  log: Logger,
  timeoutMs = RELEASE_TIMEOUT_MS,
): Promise<Disposable> {
  const deadline = performance.now() + timeoutMs;
  for (let isFirst = true; performance.now() < deadline; isFirst = false) {
    const lock = tryLockFolder(folder);
    if (lock) return lock;
    if (isFirst) log.info({ folder: basename(folder) }, "folder in use by another running process; waiting");
    await sleep(RETRY_MS);
  }
  return lockFolder(folder);
}

/** Like lockFolder, but returns null if another process has locked the folder. @throws StartError if it can't be written. */
export function tryLockFolder(folder: string): Disposable | null {
  checkFolder(folder);
  let database: DatabaseSync;
  try {
    makeFolder(folder);
    database = new DatabaseSync(join(folder, LOCK_FILE));
  } catch (error) {
    throw notWritable(folder, error);
  }
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (/locked/.test((error as Error).message)) return null;
    throw notWritable(folder, error);
  }
  return database;
}

function notWritable(folder: string, error: unknown): StartError {
  return new StartError(`cannot write to the folder ${folder}: ${(error as Error).message}`);
}

/** Node's recursive mkdir never returns if an existing folder doesn't accept new ones, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(resolve(folder)));
  mkdirSync(folder, { mode: 0o700 });
}
