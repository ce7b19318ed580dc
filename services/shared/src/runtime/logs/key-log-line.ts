import { crc32 } from "node:zlib";
import type { KeyEvent } from "../../domain/key-event.ts";
import { parseKeyEvent } from "./key-log-event.ts";

/** The first line of a key log's file, with its end. */
export const KEY_LOG_HEADER = '{"format":"geolookup key log","version":1}\n';

const START = '{"crc32":"';
const CRC_LENGTH = 8;
const BODY_START = START.length + CRC_LENGTH + '",'.length;

/** One line with its end: JSON whose `crc32` guards everything that follows it. */
export function encodeKeyLogLine(sequence: number, event: KeyEvent): string {
  const body = `"sequence":${sequence},"event":${JSON.stringify(event)}}`;
  return `${START}${checksum(body)}",${body}\n`;
}

/** Whether a line (without its end) is whole and as it was written. */
export function isWholeKeyLogLine(line: Buffer): boolean {
  const start = line.toString("latin1", 0, BODY_START);
  return start.startsWith(START) && start === `${START}${checksum(line.subarray(BODY_START))}",`;
}

/**
 * Reads a line (without its end) back.
 * @throws Error saying what is wrong with it.
 */
export function decodeKeyLogLine(line: Buffer): { sequence: number; event: KeyEvent } {
  if (!isWholeKeyLogLine(line)) throw new Error("its checksum does not fit its content");
  const { sequence, event } = JSON.parse(line.toString());
  return { sequence, event: parseKeyEvent(event) };
}

function checksum(body: string | Buffer): string {
  return crc32(body).toString(16).padStart(CRC_LENGTH, "0");
}
