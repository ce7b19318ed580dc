import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { UsageEntry, UsageLog } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { parseJournal } from "./journal-file.ts";
import type { DayCount } from "./ledger.ts";

/** At first start the usage log may not be up yet. */
const RETRY_AFTER_MS = 100;

/**
 * How long other nodes are expected to reach a published position in the log. After that they may be cut off, or the log was
 * recreated and counts from 1 again, so waiting is pointless.
 */
const POSITION_VALID_MS = 10_000;

/** Publishes the counts left by stopped or crashed instances. */
export interface Recovery {
  /** All entries of the initial journals. */
  readonly entries: readonly UsageEntry[];
  /** Adds journals for the next run. */
  add(journals: readonly AbandonedJournal[]): void;
  /** Tries to publish everything that is left; concurrent calls share one run. Never rejects. */
  run(): Promise<void>;
  /** Retries until everything is published, for at most `timeoutMs`. */
  runFor(timeoutMs: number): Promise<void>;
  isDone(): boolean;
  /** The log position that includes everything published so far; 0 if nothing was published recently. */
  position(): number;
}

/**
 * Recovers journals. Each is published under its own instance ID, so publishing it twice doesn't count anything twice. A
 * journal is discarded once the usage log has acknowledged all of it; otherwise the next run tries again.
 * @param options.clock monotonic.
 */
export function recoverJournals(options: {
  journals: readonly AbandonedJournal[];
  usageLog: UsageLog;
  onFailure: (error: Error) => void;
  clock?: Clock;
}): Recovery {
  const { clock = () => performance.now() } = options;
  let left = options.journals;
  let running: Promise<void> | null = null;
  let position = 0;
  let positionValidUntilMs = 0;
  const publish = async (journal: AbandonedJournal): Promise<AbandonedJournal[]> => {
    try {
      const positions = await Promise.all(
        journal.entries.map(({ subject, counts }) => options.usageLog.publish(subject, counts)),
      );
      position = Math.max(position, ...positions);
      positionValidUntilMs = clock() + POSITION_VALID_MS;
      journal.discard();
      return [];
    } catch (error) {
      options.onFailure(error as Error);
      return [journal];
    }
  };
  const publishLeft = async () => {
    const taken = new Set(left);
    const failed = (await Promise.all(left.map(publish))).flat();
    left = [...failed, ...left.filter((journal) => !taken.has(journal))];
    running = null;
  };
  const run = () => {
    running ??= publishLeft();
    return running;
  };
  return {
    entries: options.journals.flatMap(({ entries }) => entries),
    add(journals) {
      left = [...left, ...journals];
    },
    run,
    async runFor(timeoutMs) {
      const timeout = delay(timeoutMs, true, { ref: false });
      while (left.length > 0) {
        if (await Promise.race([run(), timeout])) return;
        if (left.length > 0) await delay(RETRY_AFTER_MS);
      }
    },
    isDone: () => left.length === 0,
    position: () => (clock() < positionValidUntilMs ? position : 0),
  };
}

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

/** The greatest count of each account and day, as messages for the usage log. */
function entriesOf(instanceId: string, counts: readonly DayCount[]): UsageEntry[] {
  const entries = new Map<string, { subject: UsageEntry["subject"]; counts: Map<string, number> }>();
  for (const { day, account, count } of counts) {
    const shard = shardOf(account);
    const name = `${day} ${shard}`;
    const entry = entries.get(name) ?? { subject: { day, instanceId, shard }, counts: new Map<string, number>() };
    entry.counts.set(account, Math.max(count, entry.counts.get(account) ?? 0));
    entries.set(name, entry);
  }
  return [...entries.values()];
}
