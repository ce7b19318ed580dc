import type { FileHandle } from "node:fs/promises";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import { isCheckedLine } from "../../checked-line.ts";
import { addToKeyLogIndex, emptyKeyLogIndex, type KeyLogIndex } from "../index.ts";
import { decodeKeyLogLine, KEY_LOG_HEADER } from "./line.ts";

const CHUNK_BYTES = 1 << 20;
/** No event comes near this; a longer line is no line of ours. */
const MAX_LINE_BYTES = 1 << 20;
const NEWLINE = 10;

/** What an open file holds, and what a crash left to mend. */
export interface VerifiedKeyLog {
  index: KeyLogIndex;
  /** Bytes that are whole lines. */
  size: number;
  /**
   * What stands behind them: nothing; a last line that was cut short, never reported as stored,
   * and may go (`torn`); or a whole line that lacks only its end (`unended`).
   */
  tail: { kind: "none" | "torn" | "unended"; bytes: number };
}

/**
 * Calls `visit` with each whole line (without its end) between two offsets of a file.
 * @returns what stands behind the last newline.
 */
export async function scanLines(
  file: FileHandle,
  range: { from: number; to: number },
  visit: (line: Buffer) => void,
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  for (let position = range.from; position < range.to; ) {
    const wanted = Math.min(CHUNK_BYTES, range.to - position);
    const { bytesRead } = await file.read(chunk, 0, wanted, position);
    if (bytesRead === 0) throw new Error(`the file ends at byte ${position}, before ${range.to}`);
    position += bytesRead;
    const data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      visit(data.subarray(start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MAX_LINE_BYTES) throw new Error(`a line is longer than ${MAX_LINE_BYTES} bytes`);
  }
  return rest;
}

/**
 * Reads a key log's file from start to end and checks every line: checksum, sequence, event,
 * versions, ids. Changes nothing.
 * @throws StartError naming the file and the line, for any damage but a last line cut short.
 */
export async function verifyKeyLog(file: FileHandle, path: string): Promise<VerifiedKeyLog> {
  const { size: fileSize } = await file.stat();
  const index = emptyKeyLogIndex();
  let lineNumber = 0;
  const visit = (line: Buffer) => {
    lineNumber++;
    if (lineNumber === 1) return checkHeader(line);
    const { sequence, event } = decodeKeyLogLine(line);
    const lastVersion = index.versions.get(event.keyId) ?? 0;
    if (sequence !== index.count + 1) throw new Error(`its sequence is ${sequence} where ${index.count + 1} is due`);
    if (event.version !== lastVersion + 1)
      throw new Error(`it has version ${event.version} of key ${event.keyId} where ${lastVersion + 1} is due`);
    if ((event.type === "KeyIssued") !== (event.version === 1))
      throw new Error(`${event.type} cannot be version ${event.version} of key ${event.keyId}`);
    if (index.sequences.has(event.id)) throw new Error(`event ${event.id} is there twice`);
    addToKeyLogIndex(index, event);
  };
  try {
    const rest = await scanLines(file, { from: 0, to: fileSize }, visit);
    const size = fileSize - rest.length;
    if (rest.length === 0) return { index, size, tail: { kind: "none", bytes: 0 } };
    if (lineNumber > 0 && isCheckedLine(rest)) {
      visit(rest);
      return { index, size, tail: { kind: "unended", bytes: rest.length } };
    }
    if (lineNumber === 0) checkTornHeader(rest);
    return { index, size, tail: { kind: "torn", bytes: rest.length } };
  } catch (error) {
    throw new StartError(
      `the key log ${path} is damaged at line ${Math.max(lineNumber, 1)}: ${(error as Error).message}. ` +
        "Nothing was changed; restore the file from a backup",
    );
  }
}

function checkHeader(line: Buffer): void {
  if (line.toString() !== KEY_LOG_HEADER.trimEnd())
    throw new Error("it is not of a format that this version knows (another version's file, or no key log)");
}

/** A file whose creation was cut short holds the start of the header, perhaps filled up with zero bytes. */
function checkTornHeader(text: Buffer): void {
  if (!KEY_LOG_HEADER.startsWith(text.toString("latin1").replace(/\0+$/, ""))) checkHeader(text);
}
