import type { KeyEvent } from "../../../domain/key-event.ts";
import { checkedLine, isCheckedLine, parseCheckedLine } from "../../checked-line.ts";
import { parseKeyEvent } from "../event.ts";

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
