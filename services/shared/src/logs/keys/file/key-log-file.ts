import type { FileHandle } from "node:fs/promises";
import type { KeyEvent } from "../../../domain/key-event.ts";
import { writeAll } from "../../../runtime/files/files.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { checkedLine, isCheckedLine, parseCheckedLine, scanLines } from "../../files/log-file.ts";
import { parseKeyEvent } from "../event.ts";
import { addToKeyLogIndex, emptyKeyLogIndex, type KeyLogIndex } from "./key-log-index.ts";

/** Far longer than any event. */
const MAX_LINE_BYTES = 1 << 20;

/** The types of events that come first, and those that can be any version. */
const FIRST_TYPES: ReadonlySet<KeyEvent["type"]> = new Set(["KeyIssued", "CustomerAdded"]);
const REPEATED_TYPES: ReadonlySet<KeyEvent["type"]> = new Set(["PlansChanged", "UpgradeFinished"]);

/** The content of a key log's file, and what a crash left to repair. */
export interface VerifiedKeyLog {
  index: KeyLogIndex;
  /** Bytes of complete lines. */
  size: number;
  /**
   * What follows them: nothing; a truncated last line, which was never reported as stored and can be
   * removed (`torn`); or a whole line without its newline (`unended`).
   */
  tail: { kind: "none" | "torn" | "unended"; bytes: number };
}

/** Calls `visit` with each line between two offsets of a key log's file. @throws like scanLines. */
export function scanKeyLog(file: FileHandle, range: { from: number; to: number }, visit: (line: Buffer) => void) {
  return scanLines(file, range, visit, MAX_LINE_BYTES);
}

/**
 * Reads a key log's file from start to end and checks every line: checksum, sequence, event,
 * versions, ids. Changes nothing.
 * @throws StartError naming the file and the line, for any damage except a truncated last line.
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
    if (sequence !== index.count + 1) throw new Error(`its sequence is ${sequence} instead of ${index.count + 1}`);
    if (event.version !== lastVersion + 1)
      throw new Error(`it has version ${event.version} of key ${event.keyId} instead of ${lastVersion + 1}`);
    if (!REPEATED_TYPES.has(event.type) && FIRST_TYPES.has(event.type) !== (event.version === 1))
      throw new Error(`${event.type} cannot be version ${event.version} of key ${event.keyId}`);
    if (event.type === "KeyRotated" && index.versions.has(event.data.successor.keyId))
      throw new Error(`key ${event.data.successor.keyId} exists twice`);
    if (index.sequences.has(event.id)) throw new Error(`event ${event.id} occurs twice`);
    addToKeyLogIndex(index, event);
  };
  try {
    const { rest, position: size } = await scanKeyLog(file, { from: 0, to: fileSize }, visit);
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
    throw new Error("unknown format: it isn't a key log, or it is one of another version");
}

/** A file whose creation was interrupted holds the start of the header, possibly followed by zero bytes. */
function checkTornHeader(text: Buffer): void {
  if (!KEY_LOG_HEADER.startsWith(text.toString("latin1").replace(/\0+$/, ""))) checkHeader(text);
}

/** The first line of a key log's file, with its newline. */
export const KEY_LOG_HEADER = '{"format":"geolookup key log","version":1}\n';

/** One line, with its newline. */
export function encodeKeyLogLine(sequence: number, event: KeyEvent): string {
  return `${checkedLine(`"sequence":${sequence},"event":${JSON.stringify(event)}}`)}\n`;
}

/** Parses a line, without its newline. @throws Error saying what is wrong with it. */
export function decodeKeyLogLine(line: Buffer): { sequence: number; event: KeyEvent } {
  if (!isCheckedLine(line)) throw new Error("its checksum is wrong");
  const { sequence, event } = parseCheckedLine(line);
  if (!Number.isSafeInteger(sequence)) throw new Error("its sequence isn't a whole number");
  return { sequence: sequence as number, event: parseKeyEvent(event) };
}

/**
 * Repairs a verified file, durably: removes a torn tail, and adds a missing newline or header.
 * @returns the file's size in bytes after that.
 */
export async function repairKeyLog(
  file: FileHandle,
  path: string,
  verified: VerifiedKeyLog,
  log: Logger,
): Promise<number> {
  let { size } = verified;
  const { kind, bytes } = verified.tail;
  if (kind === "unended") {
    log.warn({ path }, "key log: last line without newline kept");
    size += bytes + (await writeAll(file, "\n", size + bytes));
  } else if (kind === "torn") {
    log.warn({ path, bytes }, "key log: incomplete last line removed; a crash interrupted its write");
    await file.truncate(size);
  }
  if (size === 0) size = await writeAll(file, KEY_LOG_HEADER, 0);
  await file.datasync();
  return size;
}
