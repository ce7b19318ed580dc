import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFolderWhenReleased, tryLockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type AbandonedJournal, readAbandonedJournals } from "./recover-journals.ts";

/** More than the gateways that share a folder. */
const MAX_FOLDERS = 1_000;

/** The locked folder of a gateway's journal. Disposing of it unlocks it. */
export interface JournalFolder extends Disposable {
  folder: string;
  /**
   * The journals that stopped gateways left in other folders; none if the folder isn't shared. Their folders stay locked
   * until the journals are discarded or this one is unlocked. Never throws.
   */
  findAbandoned(): AbandonedJournal[];
}

/**
 * Locks a journal folder. Gateways that share `folder` each lock the first free one of `folder`, `folder-2`, `folder-3`…,
 * so containers don't need persistent names. A folder that isn't shared belongs to one gateway and its successors: it
 * waits for a predecessor that is ending.
 * @throws StartError if the folder isn't writable, or is in use and not shared.
 */
export async function openJournalFolder(
  folder: string,
  isShared: boolean,
  context: { log: Logger; onDamaged: () => void },
): Promise<JournalFolder> {
  if (!isShared) {
    const lock = await lockFolderWhenReleased(folder, context.log);
    return { folder, findAbandoned: () => [], [Symbol.dispose]: () => lock[Symbol.dispose]() };
  }
  const own = lockFirstFree(folder);
  /** The locks of other folders. */
  const locks = new Set<Disposable>();
  /** Folders whose errors have been logged. */
  const unreadable = new Set<string>();
  const takeJournals = (other: string): AbandonedJournal[] => {
    const lock = hasJournals(other) ? tryLockFolder(other) : null;
    if (!lock) return [];
    const unlock = () => {
      locks.delete(lock);
      lock[Symbol.dispose]();
    };
    locks.add(lock);
    let journals: AbandonedJournal[] = [];
    try {
      journals = readAbandonedJournals(other, context.log, context.onDamaged);
    } finally {
      if (journals.length === 0) unlock();
    }
    if (journals.length > 0)
      context.log.info({ folder: basename(other) }, "publishing counts left by a stopped gateway");
    return onceAllDiscarded(journals, unlock);
  };
  return {
    folder: own.folder,
    findAbandoned: () =>
      foldersBeside(folder)
        .filter((other) => other !== own.folder)
        .flatMap((other) => {
          try {
            return takeJournals(other);
          } catch (error) {
            if (!unreadable.has(other))
              context.log.error({ err: error, folder: basename(other) }, "journals of a stopped gateway not readable");
            unreadable.add(other);
            return [];
          }
        }),
    [Symbol.dispose]() {
      for (const lock of [...locks, own.lock]) lock[Symbol.dispose]();
    },
  };
}

function lockFirstFree(first: string): { folder: string; lock: Disposable } {
  for (let number = 1; number <= MAX_FOLDERS; number += 1) {
    const folder = number === 1 ? first : `${first}-${number}`;
    const lock = tryLockFolder(folder);
    if (lock) return { folder, lock };
  }
  throw new StartError(
    `all ${MAX_FOLDERS} journal folders beside ${first} are in use. Set DATA_DIR to another folder.`,
  );
}

function foldersBeside(first: string): string[] {
  const parent = dirname(first);
  const prefix = `${basename(first)}-`;
  const isOne = (name: string) =>
    name === basename(first) || (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)));
  return existsSync(parent)
    ? readdirSync(parent)
        .filter(isOne)
        .map((name) => join(parent, name))
    : [];
}

/** Folders without journals aren't locked: a starting gateway would have to use another. */
function hasJournals(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith(".journal"));
}

/** The same journals, with `done` called when the last one is discarded. */
function onceAllDiscarded(journals: readonly AbandonedJournal[], done: () => void): AbandonedJournal[] {
  let left = journals.length;
  return journals.map(({ entries, discard }) => ({
    entries,
    discard() {
      discard();
      left -= 1;
      if (left === 0) done();
    },
  }));
}
