import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Append, JournalFile } from "./journal-file.ts";
import { journalLine } from "./journal-lines.ts";
import type { DayCount } from "./ledger.ts";

/** A journal smaller than this is not worth writing anew. */
const ROTATE_AT_BYTES = 4 << 20;

/** It is written anew at this many times the size of what it had to hold last time. */
const ROTATE_AT_RATIO = 4;

/** Writing more lines than this anew is put off, since nothing else can run meanwhile, until the journal is so much larger. */
const FEW_LINES = 10_000;
const PUT_OFF_RATIO = 8;

/**
 * So many lines of a turn are written without waiting for its end. Under more load than a gateway can answer a turn has
 * thousands of requests; their answers would all hold their places until its end, and most requests be refused for it.
 */
const WRITE_AT_LINES = 256;

/** The file of a boot's journal; `segment` counts up as it is written anew. */
export function journalFile(instanceId: string, segment: number): string {
  return `${instanceId}.${segment}.journal`;
}

/**
 * This boot's counts on disk, for the boot after a killed one. Once `append` has resolved, the kernel
 * has the count, so a process that is killed loses nothing that was answered; only a machine that loses
 * power may. The counts of one turn of the event loop are one write: it costs more than all the rest of
 * counting. Lines hold cumulative counts: the greatest of a key and day counts, whatever comes twice.
 */
export class Journal {
  /** How many there were; for reading. */
  writes = 0;
  private readonly folder: string;
  private readonly instanceId: string;
  private readonly onFailure: (error: Error) => void;
  private readonly write: Append | undefined;
  private readonly minimumRotateAtBytes: number;
  private rotateAtBytes: number;
  private segment = 1;
  private file: JournalFile | null;
  /** Whether a write has failed since the journal was written anew: then it lacks counts. */
  private lacksCounts = false;
  /** The lines of this turn; `written` is for those who wait for them, null before there are any. */
  private lines = "";
  private lineCount = 0;
  private written: PromiseWithResolvers<void> | null = null;

  /**
   * @param options.onFailure is told when a write fails; the caller of `append` is not.
   * @param options.rotateAtBytes the size from which the journal is written anew.
   * @param options.write for tests.
   */
  constructor(options: {
    folder: string;
    instanceId: string;
    onFailure: (error: Error) => void;
    rotateAtBytes?: number | undefined;
    write?: Append;
  }) {
    this.folder = options.folder;
    this.instanceId = options.instanceId;
    this.onFailure = options.onFailure;
    this.write = options.write;
    this.minimumRotateAtBytes = options.rotateAtBytes ?? ROTATE_AT_BYTES;
    this.rotateAtBytes = this.minimumRotateAtBytes;
    this.file = new JournalFile(this.pathOf(this.segment), this.write);
  }

  /** 0 once it is closed. */
  get bytes(): number {
    return this.file?.bytes ?? 0;
  }

  /**
   * Writes down a key's cumulative count of a day when this turn of the event loop ends, or some hundred have come.
   * @returns resolves when it is written, or could not be. Never rejects.
   */
  append(day: string, keyId: string, count: number): Promise<void> {
    this.lines += journalLine(day, keyId, count);
    this.lineCount += 1;
    if (!this.written) {
      this.written = Promise.withResolvers();
      setImmediate(() => this.writeLines());
    }
    const { promise } = this.written;
    if (this.lineCount === WRITE_AT_LINES) this.writeLines();
    return promise;
  }

  /**
   * Bounds the journal: once it has grown, a new segment takes over with nothing but the counts
   * that the usage log has not acknowledged, and the old one is deleted. So it does when a write has failed. Never throws.
   * @param lines how many counts that are.
   */
  rotateIfDue(lines: number, unacknowledged: () => Iterable<DayCount>): void {
    const dueAtBytes = lines > FEW_LINES ? PUT_OFF_RATIO * this.rotateAtBytes : this.rotateAtBytes;
    if (this.file === null || (this.file.bytes < dueAtBytes && !this.lacksCounts)) return;
    let next: JournalFile | undefined;
    try {
      const lines = Array.from(unacknowledged(), ({ day, keyId, count }) => journalLine(day, keyId, count)).join("");
      next = new JournalFile(this.pathOf(this.segment + 1), this.write);
      next.append(lines);
    } catch (error) {
      if (next) {
        next.close();
        this.remove(this.segment + 1);
      }
      this.rotateAtBytes = Math.max(this.rotateAtBytes, 2 * this.file.bytes);
      this.onFailure(error as Error);
      return;
    }
    this.file.close();
    this.file = next;
    this.lacksCounts = false;
    this.rotateAtBytes = Math.max(this.minimumRotateAtBytes, ROTATE_AT_RATIO * next.bytes);
    this.remove(this.segment);
    this.segment += 1;
  }

  /**
   * Writes down what still waits for it.
   * @param settled whether the usage log has acknowledged everything: then the journal is deleted.
   */
  close(settled: boolean): void {
    this.writeLines();
    if (this.file === null) return;
    this.file.close();
    this.file = null;
    if (settled) this.remove(this.segment);
  }

  private writeLines(): void {
    if (!this.written) return;
    const { lines, written } = this;
    this.lines = "";
    this.lineCount = 0;
    this.written = null;
    try {
      if (this.file === null) throw new Error("the journal is closed");
      this.file.append(lines);
      this.writes += 1;
    } catch (error) {
      this.lacksCounts = true;
      this.onFailure(error as Error);
    }
    written.resolve();
  }

  /** A segment that cannot be removed is harmless: the next boot publishes it again, to no effect. */
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
