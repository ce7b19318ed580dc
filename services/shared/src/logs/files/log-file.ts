import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { writeAll } from "../../runtime/files/files.ts";

const START = '{"crc32":"';
const CRC_LENGTH = 8;
const BODY_START = START.length + CRC_LENGTH + '",'.length;

/**
 * A line of JSON, without its newline, that starts with a checksum of the rest, `crc32`.
 * @param body a JSON object's text after its opening brace.
 */
export function checkedLine(body: string): string {
  return `${START}${checksum(body)}",${body}`;
}

/** Whether a line (without its newline) has the right checksum. */
export function isCheckedLine(line: Buffer): boolean {
  const start = line.toString("latin1", 0, BODY_START);
  return start.startsWith(START) && start === `${START}${checksum(line.subarray(BODY_START))}",`;
}

/**
 * Parses a line whose checksum is valid. If it was edited manually, it may still not be JSON. @throws Error that doesn't quote the
 * line, unlike JSON.parse's.
 */
export function parseCheckedLine(line: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw new Error("it isn't JSON");
  }
}

function checksum(body: string | Buffer): string {
  return crc32(body).toString(16).padStart(CRC_LENGTH, "0");
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/** A file that grows by whole, durable appends. */
export class AppendOnlyFile {
  readonly file: FileHandle;
  /** Whether a failed write may have left bytes after #size, which must be truncated. */
  #isDirty = false;
  #size: number;

  /** @param size bytes that belong to the file; anything after them doesn't. */
  constructor(file: FileHandle, size: number) {
    this.file = file;
    this.#size = size;
  }

  /** Durable bytes. */
  get size(): number {
    return this.#size;
  }

  /** Appends and syncs. @throws Error if that failed; then the file is unchanged. */
  async append(text: string): Promise<void> {
    try {
      if (this.#isDirty) await this.#truncate();
      const length = await writeAll(this.file, text, this.#size);
      await this.file.datasync();
      this.#size += length;
    } catch (error) {
      this.#isDirty = true;
      // If this fails too, the next append truncates before it writes.
      await this.#truncate().catch(() => undefined);
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.file.close();
  }

  async #truncate(): Promise<void> {
    await this.file.truncate(this.#size);
    await this.file.datasync();
    this.#isDirty = false;
  }
}

/**
 * Calls `visit` with each complete line (without its newline) in a range of a file.
 * @param range.to default: the end of the file.
 * @returns the bytes after the last newline, and where they begin.
 * @throws Error if the file ends before `to`, or a line is longer than `maxLineBytes`; and what `visit` throws.
 */
export async function scanLines(
  file: FileHandle,
  range: { from: number; to?: number },
  visit: (line: Buffer) => void,
  maxLineBytes = Number.POSITIVE_INFINITY,
): Promise<{ rest: Buffer; position: number }> {
  const { from, to = Number.POSITIVE_INFINITY } = range;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let readUpTo = from;
  while (readUpTo < to) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, to - readUpTo), readUpTo);
    if (bytesRead === 0) {
      if (range.to === undefined) break;
      throw new Error(`the file ends at byte ${readUpTo}, before ${to}`);
    }
    readUpTo += bytesRead;
    const data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      visit(data.subarray(start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > maxLineBytes) throw new Error(`a line is longer than ${maxLineBytes} bytes`);
  }
  return { rest, position: readUpTo - rest.length };
}
