import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { UsageEntry } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { parseJournal } from "./journal-lines.ts";
import type { DayCount } from "./ledger.ts";

const JOURNAL_FILE = /^([\w-]+)\.\d+\.journal$/;

/** What a torn journal may lack. A killed process loses nothing, since the kernel had every line before its response was sent. */
const LOST_AT_MOST =
  "in a power failure, the requests served since the last publish, which is a second earlier while NATS is up; otherwise nothing";

/** A journal left by an instance that crashed or couldn't publish all of its counts. */
export interface AbandonedJournal {
  /** Its counts, to be published under its own instance ID. */
  entries: UsageEntry[];
  /** Call once the entries are published: deletes the file, or sets it aside if it is damaged. Never throws. */
  discard(): void;
}

/**
 * Reads the journals in a folder. The caller holds the folder's lock, so their instances have stopped. The valid lines of a
 * damaged journal are used.
 * @param onDamaged called for each damaged file.
 */
export function readAbandonedJournals(folder: string, log: Logger, onDamaged: () => void): AbandonedJournal[] {
  return readdirSync(folder).flatMap((file) => {
    const instanceId = JOURNAL_FILE.exec(file)?.[1];
    return instanceId === undefined ? [] : [readAbandonedJournal(folder, file, instanceId, log, onDamaged)];
  });
}

function readAbandonedJournal(
  folder: string,
  file: string,
  instanceId: string,
  log: Logger,
  onDamaged: () => void,
): AbandonedJournal {
  const path = join(folder, file);
  let counts: DayCount[] = [];
  let damage: string | null = null;
  try {
    const parsed = parseJournal(readFileSync(path, "latin1"));
    counts = parsed.counts;
    if (parsed.damagedLines > 0) damage = `${parsed.damagedLines} damaged lines`;
    if (parsed.isTorn)
      log.warn(
        { file, readable: counts.length, lastWrite: statSync(path).mtime.toISOString(), lostAtMost: LOST_AT_MOST },
        "usage journal ends within a line; publishing the counts before it",
      );
  } catch (error) {
    damage = (error as Error).message;
  }
  if (damage !== null) {
    onDamaged();
    log.error({ file, damage, readable: counts.length }, "usage journal damaged; setting it aside as .bad");
  }
  return {
    entries: entriesOf(instanceId, counts),
    discard() {
      try {
        if (damage === null) rmSync(path, { force: true });
        else renameSync(path, `${path}.bad`);
      } catch (error) {
        log.error({ err: error, file }, "published usage journal could not be removed");
      }
    },
  };
}

/** The greatest count of each key and day, as messages for the usage log. */
function entriesOf(instanceId: string, counts: readonly DayCount[]): UsageEntry[] {
  const entries = new Map<string, { subject: UsageEntry["subject"]; counts: Map<string, number> }>();
  for (const { day, keyId, count } of counts) {
    const shard = shardOf(keyId);
    const name = `${day} ${shard}`;
    const entry = entries.get(name) ?? { subject: { day, instanceId, shard }, counts: new Map<string, number>() };
    entry.counts.set(keyId, Math.max(count, entry.counts.get(keyId) ?? 0));
    entries.set(name, entry);
  }
  return [...entries.values()];
}
