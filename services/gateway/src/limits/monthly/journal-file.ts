import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

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
