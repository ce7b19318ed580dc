import { join } from "node:path";
import type { Registry } from "@prometheus-io/client";
import { type Clock, systemClock } from "../../../domain/clock.ts";
import { oldestKeptMonth } from "../../../domain/period.ts";
import type { KeyCounts, MonthLog, MonthRecord, UsageEntry, UsageLog, UsageSubject } from "../../../domain/usage.ts";
import { lockFolder } from "../../../runtime/files/folder-lock.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { exposeWriteFailures, type WriteFailures } from "../../../runtime/observability/write-failures.ts";
import type { AppendOnlyFile } from "../../files/log-file.ts";
import { countsOf, encodeUsageLine, isMonthRecord, type UsageLine } from "./line.ts";
import { createUsageLogState, type UsageLogState } from "./state.ts";
import { openUsageFile, USAGE_LOG_FILE, writeUsageFile } from "./usage-file.ts";

/** A smaller file isn't worth compacting. */
const COMPACT_AT_BYTES = 4 << 20;

/** Compaction is due when the file holds this many times the current counts. */
const COMPACT_AT_RATIO = 2;

/** Followers in this process receive a count as soon as it is published, so they need no position. */
const NO_POSITION = 0;

interface Waiting {
  line: UsageLine;
  resolve: (position: number) => void;
  reject: (error: Error) => void;
}

/**
 * Opens the usage log of a folder as its only writer: an append-only file of JSON lines with
 * checksums, durable (fdatasync) before `publish` resolves. Other processes follow it
 * with `openFileUsageLogReader`. Recorded days of months past retention are skipped
 * when it is opened, and removed from the file by compaction.
 * @param options.registry says while the file can't be written, and why.
 * @param options.compactAtBytes minimum size for a compaction.
 * @throws StartError if the folder is locked or can't be written, or the log is damaged anywhere
 *   except in a last line torn by a crash.
 */
export async function openFileUsageLog(options: {
  folder: string;
  log: Logger;
  registry?: Registry;
  compactAtBytes?: number;
  clock?: Clock;
}): Promise<UsageLog & MonthLog> {
  const { folder, log, compactAtBytes = COMPACT_AT_BYTES, clock = systemClock } = options;
  using opened = new DisposableStack();
  opened.use(lockFolder(folder));
  const state = createUsageLogState();
  let countsInFile = 0;
  const file = await openUsageFile(folder, log, (line) => {
    countsInFile += countsOf(line).size;
    state.apply(line);
  });
  state.forgetDaysBefore(oldestKeptMonth(clock()));
  const writes = options.registry && exposeWriteFailures(options.registry, log);
  return new FileUsageLog({
    clock,
    folder,
    log,
    compactAtBytes,
    state,
    countsInFile,
    file,
    lock: opened.move(),
    writes,
  });
}

class FileUsageLog implements UsageLog, MonthLog {
  private readonly folder: string;
  private readonly log: Logger;
  private readonly clock: Clock;
  private readonly state: UsageLogState;
  private readonly lock: Disposable;
  private readonly writes: WriteFailures | undefined;
  private readonly followers = new Set<(line: UsageLine) => void>();
  private file: AppendOnlyFile;
  private countsInFile: number;
  private compactAtBytes: number;
  private closed = false;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;

  constructor(parts: {
    clock: Clock;
    folder: string;
    log: Logger;
    compactAtBytes: number;
    state: UsageLogState;
    countsInFile: number;
    file: AppendOnlyFile;
    lock: Disposable;
    writes: WriteFailures | undefined;
  }) {
    this.clock = parts.clock;
    this.folder = parts.folder;
    this.log = parts.log;
    this.state = parts.state;
    this.file = parts.file;
    this.countsInFile = parts.countsInFile;
    this.compactAtBytes = parts.compactAtBytes;
    this.lock = parts.lock;
    this.writes = parts.writes;
  }

  publish(subject: UsageSubject, counts: KeyCounts): Promise<number> {
    return this.store({ subject, counts });
  }

  async publishMonth(record: MonthRecord): Promise<void> {
    await this.store(record);
  }

  private store(line: UsageLine): Promise<number> {
    if (this.closed) return Promise.reject(new Error("the usage log is closed"));
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, resolve, reject });
      this.writing ??= this.writeWaiting();
    });
  }

  async follow(
    apply: (entry: UsageEntry, position: number) => void,
    applyMonth?: (record: MonthRecord) => void,
  ): Promise<AsyncDisposable> {
    const follower = (line: UsageLine) => (isMonthRecord(line) ? applyMonth?.(line) : apply(line, NO_POSITION));
    for (const line of this.state.lines()) follower(line);
    this.followers.add(follower);
    return { [Symbol.asyncDispose]: async () => void this.followers.delete(follower) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.writing;
    await this.file[Symbol.asyncDispose]();
    this.lock[Symbol.dispose]();
  }

  /** Writes until the queue is empty. One fdatasync serves all publishes that arrived in the meantime. */
  private async writeWaiting(): Promise<void> {
    // One turn later, so the publishes of this turn are written together.
    await null;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      const path = join(this.folder, USAGE_LOG_FILE);
      try {
        await this.append(batch.map(({ line }) => line));
        this.writes?.succeeded(path);
        for (const { resolve } of batch) resolve(NO_POSITION);
      } catch (error) {
        this.writes?.failed(path, error);
        const failure = new Error(`can't write the usage log ${path}: ${(error as Error).message}`, { cause: error });
        for (const { reject } of batch) reject(failure);
      }
      if (this.compactionIsDue()) await this.compact();
    }
    this.writing = null;
  }

  /** Durably appends the counts that exceed the stored ones. */
  private async append(lines: readonly UsageLine[]): Promise<void> {
    const added = lines.map((line) => this.state.raisedBy(line)).filter((line) => countsOf(line).size > 0);
    if (added.length === 0) return;
    await this.file.append(added.map((line) => `${encodeUsageLine(line)}\n`).join(""));
    for (const line of added) {
      this.state.apply(line);
      this.countsInFile += countsOf(line).size;
      for (const apply of this.followers) apply(line);
    }
  }

  private compactionIsDue(): boolean {
    return this.file.size >= this.compactAtBytes && this.countsInFile > COMPACT_AT_RATIO * this.state.size;
  }

  private async compact(): Promise<void> {
    try {
      const replaced = this.file;
      this.state.forgetDaysBefore(oldestKeptMonth(this.clock()));
      this.file = await writeUsageFile(this.folder, this.state.lines());
      this.countsInFile = this.state.size;
      await replaced[Symbol.asyncDispose]();
    } catch (error) {
      this.compactAtBytes = 2 * this.file.size;
      this.log.error({ err: error }, "usage log compaction failed; appending to the existing file");
    }
  }
}
