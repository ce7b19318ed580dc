import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { UsageEntry } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { parseJournal } from "./journal-lines.ts";
import type { DayCount } from "./ledger.ts";

const JOURNAL_FILE = /^([\w-]+)\.\d+\.journal$/;

/** What a boot that did not end well left behind. */
export interface DeadJournal {
  /** Its counts, as they are to be published: under its own boot id. */
  entries: UsageEntry[];
  /** Deletes the files, once the entries are published; damaged ones are set aside instead. Never throws. */
  discard(): void;
}

/**
 * Reads the journals in a folder whose lock the caller holds, so that their boots are surely dead.
 * What can be read of a damaged one is used.
 * @param onDamaged is called for every damaged file.
 */
export function readDeadJournals(folder: string, log: Logger, onDamaged: () => void): DeadJournal[] {
  return readdirSync(folder).flatMap((file) => {
    const instanceId = JOURNAL_FILE.exec(file)?.[1];
    return instanceId === undefined ? [] : [readDeadJournal(folder, file, instanceId, log, onDamaged)];
  });
}

function readDeadJournal(
  folder: string,
  file: string,
  instanceId: string,
  log: Logger,
  onDamaged: () => void,
): DeadJournal {
  const path = join(folder, file);
  let counts: DayCount[] = [];
  let damage: string | null = null;
  try {
    const parsed = parseJournal(readFileSync(path, "latin1"));
    counts = parsed.counts;
    if (parsed.damagedLines > 0) damage = `${parsed.damagedLines} lines cannot be read`;
  } catch (error) {
    damage = (error as Error).message;
  }
  if (damage !== null) {
    onDamaged();
    log.error({ file, damage, readable: counts.length }, "a usage journal is damaged; it is set aside as .bad");
  }
  return {
    entries: entriesOf(instanceId, counts),
    discard() {
      try {
        if (damage === null) rmSync(path, { force: true });
        else renameSync(path, `${path}.bad`);
      } catch (error) {
        log.error({ err: error, file }, "a usage journal that is no longer needed could not be removed");
      }
    },
  };
}

/** The greatest count of each key and day, as messages of the usage log. */
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
