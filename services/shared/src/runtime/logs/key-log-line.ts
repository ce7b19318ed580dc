import type { KeyEvent } from "../../domain/key-event.ts";
import { checkedLine, isCheckedLine } from "./checked-line.ts";
import { parseKeyEvent } from "./key-log-event.ts";

/** The first line of a key log's file, with its end. */
export const KEY_LOG_HEADER = '{"format":"geolookup key log","version":1}\n';

/** One line with its end. */
export function encodeKeyLogLine(sequence: number, event: KeyEvent): string {
  return `${checkedLine(`"sequence":${sequence},"event":${JSON.stringify(event)}}`)}\n`;
}

/**
 * Reads a line (without its end) back.
 * @throws Error saying what is wrong with it.
 */
export function decodeKeyLogLine(line: Buffer): { sequence: number; event: KeyEvent } {
  if (!isCheckedLine(line)) throw new Error("its checksum does not fit its content");
  const { sequence, event } = JSON.parse(line.toString());
  return { sequence, event: parseKeyEvent(event) };
}
