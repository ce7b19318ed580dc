import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFolder, tryLockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type DeadJournal, readDeadJournals } from "./abandoned-journals.ts";

/** More gateways than this do not share one folder. */
const MOST_FOLDERS = 1_000;

/** The folder in which a gateway has its journal, locked. */
export interface JournalFolder {
  folder: string;
  /**
   * The journals that gateways which are gone left in other folders; none when the folder is not shared. Their
   * folders stay locked until the journals are discarded or all is released. Never throws.
   */
  abandoned(): DeadJournal[];
  release(): void;
}

/**
 * Takes a journal folder. Gateways that share `folder` each have one of `folder`, `folder-2`, `folder-3`…: the first
 * that no running process has. So a container needs no name that outlives it.
 * @throws StartError when the folder cannot be written, or is taken and not shared.
 */
export function openJournalFolder(
  folder: string,
  isShared: boolean,
  context: { log: Logger; onDamaged: () => void },
): JournalFolder {
  if (!isShared) return { folder, abandoned: () => [], release: lockFolder(folder) };
  const own = takeFirst(folder);
  const rescued = new Set<() => void>();
  /** Already said that it cannot be read. */
  const unreadable = new Set<string>();
  const rescue = (other: string): DeadJournal[] => {
    const release = hasJournals(other) ? tryLockFolder(other) : null;
    if (!release) return [];
    const give = () => {
      rescued.delete(give);
      release();
    };
    rescued.add(give);
    let journals: DeadJournal[] = [];
    try {
      journals = readDeadJournals(other, context.log, context.onDamaged);
    } finally {
      if (journals.length === 0) give();
    }
    if (journals.length > 0)
      context.log.info({ folder: basename(other) }, "publishing what a gateway that is gone had counted");
    return untilDiscarded(journals, give);
  };
  return {
    folder: own.folder,
    abandoned: () =>
      foldersBeside(folder)
        .filter((other) => other !== own.folder)
        .flatMap((other) => {
          try {
            return rescue(other);
          } catch (error) {
            if (!unreadable.has(other))
              context.log.error({ err: error, folder: basename(other) }, "the journals of a gateway cannot be read");
            unreadable.add(other);
            return [];
          }
        }),
    release() {
      for (const give of rescued) give();
      own.release();
    },
  };
}

function takeFirst(first: string): { folder: string; release: () => void } {
  for (let number = 1; number <= MOST_FOLDERS; number += 1) {
    const folder = number === 1 ? first : `${first}-${number}`;
    const release = tryLockFolder(folder);
    if (release) return { folder, release };
  }
  throw new StartError(
    `all of ${MOST_FOLDERS} journal folders beside ${first} are in use; give DATA_DIR another value`,
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

/** A folder without a journal is not even locked: a gateway that starts would have to take another. */
function hasJournals(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith(".journal"));
}

/** The same journals; `done` is called when the last is discarded. */
function untilDiscarded(journals: readonly DeadJournal[], done: () => void): DeadJournal[] {
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
