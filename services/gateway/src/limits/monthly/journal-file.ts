import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { isDay } from "@geolookup/shared/domain/period.ts";
import type { DayCount } from "./ledger.ts";

/** Accounts that need no escaping in journals. */
export const ACCOUNT = /^[\w-]{1,100}(?:\/[\w-]{1,100})?$/;

const LINE = /^(\d{4}-\d\d-\d\d) ([\w-]{1,100}(?:\/[\w-]{1,100})?) ([1-9]\d{0,14})$/;

/** What a write cut short by a crash may leave: the beginning of a line. */
const TORN_LINE =
  /^[\d-]{0,10}$|^\d{4}-\d\d-\d\d (?:[\w-]{0,100}|[\w-]{1,100}\/[\w-]{0,100}|[\w-]{1,100}(?:\/[\w-]{1,100})? \d{0,15})$/;

/** One line of a journal: an account's cumulative count for a day. */
export function journalLine(day: string, account: string, count: number): string {
  return `${day} ${account} ${count}\n`;
}

/**
 * Parses a journal. The last line may be torn: by a killed process, whose response was never sent, or by a power failure, which may also
 * have taken whole lines after it.
 * @returns the counts of the valid lines, the number of damaged ones, and whether the last line is torn.
 */
export function parseJournal(text: string): { counts: DayCount[]; damagedLines: number; isTorn: boolean } {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  const counts = lines.flatMap((line) => {
    const [, day = "", account = "", count] = LINE.exec(line) ?? [];
    return isDay(day) ? [{ day, account, count: Number(count) }] : [];
  });
  const isTorn = torn !== "" && TORN_LINE.test(torn);
  return { counts, damagedLines: lines.length - counts.length + (torn === "" || isTorn ? 0 : 1), isTorn };
}

/** Appends text to an open file. @returns the number of bytes written. */
export type Append = (file: number, text: string) => number;

/** A new file that lines are appended to. If a write is cut short, the partial line is removed before the next write. */
export class JournalFile {
  private readonly file: number;
  private readonly write: Append;
  private size = 0;
  private torn = false;

  /** @throws Error if the file exists or can't be created. */
  constructor(path: string, write: Append = appendText) {
    this.file = openSync(path, "ax", 0o600);
    this.write = write;
  }

  /** The size of all complete lines. */
  get bytes(): number {
    return this.size;
  }

  /** @throws Error if not all lines could be written. */
  append(lines: string): void {
    if (this.torn) ftruncateSync(this.file, this.size);
    this.torn = true;
    let written = 0;
    try {
      // What is left is tried again: the kernel says why only if it can write nothing.
      while (written < lines.length) {
        const length = this.write(this.file, lines.slice(written));
        if (length === 0) throw new Error(`only ${written} of ${lines.length} bytes could be written`);
        written += length;
      }
      this.torn = false;
    } finally {
      this.size += lines.lastIndexOf("\n", written - 1) + 1;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.file);
  }
}

/** Journals contain only ASCII. */
function appendText(file: number, text: string): number {
  return writeSync(file, text, null, "latin1");
}
