import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTurnBatch } from "../../connections/turn-batch.ts";
import { type Append, JournalFile, journalLine } from "./journal-file.ts";
import type { JournalReserve } from "./journal-reserve.ts";
import type { DayCount } from "./ledger.ts";

/** A smaller journal isn't rotated. */
const ROTATE_AT_BYTES = 4 << 20;

/** A journal is rotated when it reaches this many times its size after the last rotation. */
const ROTATE_AT_RATIO = 4;

/**
 * Rotation is synchronous, so one that has to write more lines than this is postponed until the journal is this many times
 * larger.
 */
const MAX_QUICK_LINES = 10_000;
const POSTPONE_RATIO = 8;

/** The name of an instance's journal file. `segment` increases with each rotation. */
export function journalFile(instanceId: string, segment: number): string {
  return `${instanceId}.${segment}.journal`;
}

/**
 * This instance's counts on disk, so that the next instance can recover them after a crash. Once `append` has resolved, the
 * kernel has the count: a killed process loses no served request, but a power failure may. The counts of one turn of the
 * event loop share one write, which costs more than the rest of counting. Counts are cumulative: of several lines for an account
 * and day, the greatest is valid.
 */
export class Journal {
  /** Successful writes so far. */
  writes = 0;
  private readonly folder: string;
  private readonly instanceId: string;
  private readonly onFailure: (error: Error) => void;
  private readonly onRecovered: () => void;
  private readonly write: Append | undefined;
  private readonly minimumRotateAtBytes: number;
  private rotateAtBytes: number;
  private segment = 1;
  private file: JournalFile | null;
  /** Whether a write has failed since the last rotation. */
  private lacksCounts = false;
  /** Pending lines. */
  private lines = "";
  private readonly batch = createTurnBatch(() => this.writeLines());

  /**
   * @param options.onFailure takes the error of a failed write, which `append` doesn't report.
   * @param options.onRecovered called when the journal has all counts again.
   * @param options.rotateAtBytes the minimum size at which the journal is rotated.
   * @param options.write for tests.
   */
  constructor(options: {
    folder: string;
    instanceId: string;
    onFailure: (error: Error) => void;
    onRecovered?: () => void;
    rotateAtBytes?: number | undefined;
    write?: Append;
  }) {
    this.folder = options.folder;
    this.instanceId = options.instanceId;
    this.onFailure = options.onFailure;
    this.onRecovered = options.onRecovered ?? (() => {});
    this.write = options.write;
    this.minimumRotateAtBytes = options.rotateAtBytes ?? ROTATE_AT_BYTES;
    this.rotateAtBytes = this.minimumRotateAtBytes;
    this.file = new JournalFile(this.pathOf(this.segment), this.write);
  }

  /** 0 after `close`. */
  get bytes(): number {
    return this.file?.bytes ?? 0;
  }

  /**
   * Writes an account's cumulative count for a day at the end of this turn of the event loop, or once 256 lines are pending.
   * @returns resolves once the write has succeeded or failed. Never rejects.
   */
  append(day: string, account: string, count: number): Promise<void> {
    this.lines += journalLine(day, account, count);
    return this.batch.join();
  }

  /**
   * Rotates the journal once it has grown, or after a failed write: a new segment starts with the counts that the usage log
   * hasn't acknowledged, and the old one is deleted. Never throws.
   * @param lines the number of unacknowledged counts.
   */
  rotateIfDue(lines: number, unacknowledged: () => Iterable<DayCount>): void {
    const dueAtBytes = lines > MAX_QUICK_LINES ? POSTPONE_RATIO * this.rotateAtBytes : this.rotateAtBytes;
    if (this.file === null || (this.file.bytes < dueAtBytes && !this.lacksCounts)) return;
    let next: JournalFile | undefined;
    try {
      next = new JournalFile(this.pathOf(this.segment + 1), this.write);
      next.append(linesOf(unacknowledged()));
    } catch (error) {
      if (next) {
        next[Symbol.dispose]();
        this.remove(this.segment + 1);
      }
      this.rotateAtBytes = Math.max(this.rotateAtBytes, 2 * this.file.bytes);
      this.onFailure(error as Error);
      return;
    }
    this.file[Symbol.dispose]();
    this.file = next;
    if (this.lacksCounts) this.onRecovered();
    this.lacksCounts = false;
    this.rotateAtBytes = Math.max(this.minimumRotateAtBytes, ROTATE_AT_RATIO * next.bytes);
    this.remove(this.segment);
    this.segment += 1;
  }

  /**
   * Writes pending lines. If the journal lacks counts, because writes have failed, they are written now.
   * @param unacknowledged counts that the usage log hasn't acknowledged; if there are none, the journal is deleted.
   * @param reserve for them if the disk is still full.
   */
  close(unacknowledged: readonly DayCount[], reserve?: JournalReserve | null): void {
    this.batch.complete();
    if (unacknowledged.length > 0) this.rotateIfLacking(unacknowledged, reserve);
    if (this.file === null) return;
    this.file[Symbol.dispose]();
    this.file = null;
    if (unacknowledged.length === 0) this.remove(this.segment);
  }

  private rotateIfLacking(unacknowledged: readonly DayCount[], reserve: JournalReserve | null | undefined): void {
    if (!this.lacksCounts) return;
    this.rotateIfDue(0, () => unacknowledged);
    if (!this.lacksCounts || !reserve) return;
    try {
      reserve.save(linesOf(unacknowledged), this.pathOf(this.segment + 1));
      this.lacksCounts = false;
    } catch (error) {
      this.onFailure(error as Error);
    }
  }

  /** Whether counts are only in memory. */
  get isIncomplete(): boolean {
    return this.lacksCounts;
  }

  private writeLines(): void {
    const { lines } = this;
    this.lines = "";
    try {
      if (this.file === null) throw new Error("the journal is closed");
      this.file.append(lines);
      this.writes += 1;
    } catch (error) {
      this.lacksCounts = true;
      this.onFailure(error as Error);
    }
  }

  /** A segment that can't be removed is harmless: the next instance publishes it again, with no effect. */
  private remove(segment: number): void {
    try {
      rmSync(this.pathOf(segment), { force: true });
    } catch (error) {
      this.onFailure(error as Error);
    }
  }

  private pathOf(segment: number): string {
    return join(this.folder, journalFile(this.instanceId, segment));
  }
}

function linesOf(counts: Iterable<DayCount>): string {
  return Array.from(counts, ({ day, account, count }) => journalLine(day, account, count)).join("");
}
