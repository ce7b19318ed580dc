import { crc32 } from "node:zlib";

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
