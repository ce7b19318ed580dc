import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Appends text to an open file. @returns how many bytes of it were written. */
export type Append = (file: number, text: string) => number;

/** A new file that lines are appended to. What a write that was cut short leaves of a line is gone before the next. */
export class JournalFile {
  private readonly file: number;
  private readonly write: Append;
  private size = 0;
  private torn = false;

  /** @throws Error when there is such a file, or it cannot be made. */
  constructor(path: string, write: Append = appendText) {
    this.file = openSync(path, "ax", 0o600);
    this.write = write;
  }

  /** All whole lines together. */
  get bytes(): number {
    return this.size;
  }

  /** @throws Error when not all lines could be written. */
  append(lines: string): void {
    if (this.torn) ftruncateSync(this.file, this.size);
    this.torn = true;
    const written = this.write(this.file, lines);
    this.size += lines.lastIndexOf("\n", written - 1) + 1;
    if (written < lines.length) throw new Error(`only ${written} of ${lines.length} bytes could be written`);
    this.torn = false;
  }

  close(): void {
    closeSync(this.file);
  }
}

/** All that a journal holds is ASCII. */
function appendText(file: number, text: string): number {
  return writeSync(file, text, null, "latin1");
}
