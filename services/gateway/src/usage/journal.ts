import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { journalLine } from "./journal-lines.ts";
import type { DayCount } from "./ledger.ts";

/** A journal smaller than this is not worth writing anew. */
const ROTATE_AT_BYTES = 4 << 20;

/** It is written anew at this many times the size of what it had to hold last time. */
const ROTATE_AT_RATIO = 4;

/** Writing more lines than this anew is put off, since nothing else can run meanwhile, until the journal is so much larger. */
const FEW_LINES = 10_000;
const PUT_OFF_RATIO = 8;

/** The file of a boot's journal; `segment` counts up as it is written anew. */
export function journalFile(bootId: string, segment: number): string {
  return `${bootId}.${segment}.journal`;
}

/**
 * This boot's counts on disk, for the boot after a killed one. `append` has written to the kernel
 * when it returns, so a process that is killed loses nothing; only a machine that loses power may.
 * Lines hold cumulative counts: the greatest of a key and day counts, whatever comes twice.
 */
export class Journal {
  private readonly folder: string;
  private readonly bootId: string;
  private readonly onFailure: (error: Error) => void;
  private readonly write: (file: number, text: string) => number;
  private readonly minimumRotateAtBytes: number;
  private rotateAtBytes: number;
  private segment = 1;
  private file: number | null;
  private size = 0;
  /** Whether a failed write may have left part of a line. */
  private torn = false;

  /**
   * @param options.onFailure is told when a write fails; the caller of `append` is not.
   * @param options.rotateAtBytes the size from which the journal is written anew.
   * @param options.write appends text to an open file and tells how much of it was written; for tests.
   */
  constructor(options: {
    folder: string;
    bootId: string;
    onFailure: (error: Error) => void;
    rotateAtBytes?: number | undefined;
    write?: (file: number, text: string) => number;
  }) {
    this.folder = options.folder;
    this.bootId = options.bootId;
    this.onFailure = options.onFailure;
    this.write = options.write ?? appendText;
    this.minimumRotateAtBytes = options.rotateAtBytes ?? ROTATE_AT_BYTES;
    this.rotateAtBytes = this.minimumRotateAtBytes;
    this.file = openSync(this.pathOf(this.segment), "ax", 0o600);
  }

  get bytes(): number {
    return this.size;
  }

  /** Writes down a key's cumulative count of a day. Never throws. */
  append(day: string, keyId: string, count: number): void {
    try {
      if (this.file === null) throw new Error("the journal is closed");
      if (this.torn) ftruncateSync(this.file, this.size);
      this.torn = true;
      this.size += this.writeWhole(this.file, journalLine(day, keyId, count));
      this.torn = false;
    } catch (error) {
      this.onFailure(error as Error);
    }
  }

  /**
   * Bounds the journal: once it has grown, a new segment takes over with nothing but the counts
   * that the usage log has not acknowledged, and the old one is deleted. Never throws.
   * @param lines how many counts that are.
   */
  rotateIfDue(lines: number, unacknowledged: () => Iterable<DayCount>): void {
    const dueAtBytes = lines > FEW_LINES ? PUT_OFF_RATIO * this.rotateAtBytes : this.rotateAtBytes;
    if (this.file === null || this.size < dueAtBytes) return;
    let next: number | undefined;
    try {
      const lines = Array.from(unacknowledged(), ({ day, keyId, count }) => journalLine(day, keyId, count)).join("");
      next = openSync(this.pathOf(this.segment + 1), "ax", 0o600);
      this.size = this.writeWhole(next, lines);
    } catch (error) {
      if (next !== undefined) {
        closeSync(next);
        this.remove(this.segment + 1);
      }
      this.rotateAtBytes = 2 * this.size;
      this.onFailure(error as Error);
      return;
    }
    closeSync(this.file);
    this.file = next;
    this.torn = false;
    this.rotateAtBytes = Math.max(this.minimumRotateAtBytes, ROTATE_AT_RATIO * this.size);
    this.remove(this.segment);
    this.segment += 1;
  }

  /** @param settled whether the usage log has acknowledged everything: then the journal is deleted. */
  close(settled: boolean): void {
    if (this.file === null) return;
    closeSync(this.file);
    this.file = null;
    if (settled) this.remove(this.segment);
  }

  /** A segment that cannot be removed is harmless: the next boot publishes it again, to no effect. */
  private remove(segment: number): void {
    try {
      rmSync(this.pathOf(segment), { force: true });
    } catch (error) {
      this.onFailure(error as Error);
    }
  }

  private writeWhole(file: number, text: string): number {
    const written = this.write(file, text);
    if (written < text.length) throw new Error(`only ${written} of ${text.length} bytes could be written`);
    return written;
  }

  private pathOf(segment: number): string {
    return join(this.folder, journalFile(this.bootId, segment));
  }
}

/** All that a journal holds is ASCII. */
function appendText(file: number, text: string): number {
  return writeSync(file, text, null, "latin1");
}
