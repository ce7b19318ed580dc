import { crc32 } from "node:zlib";

const START = '{"crc32":"';
const CRC_LENGTH = 8;
const BODY_START = START.length + CRC_LENGTH + '",'.length;

/**
 * A line of JSON, without its end, whose `crc32` guards everything that follows it.
 * @param body a JSON object's text after its opening brace.
 */
export function checkedLine(body: string): string {
  return `${START}${checksum(body)}",${body}`;
}

/** Whether a line (without its end) is whole and as it was written. */
export function isCheckedLine(line: Buffer): boolean {
  const start = line.toString("latin1", 0, BODY_START);
  return start.startsWith(START) && start === `${START}${checksum(line.subarray(BODY_START))}",`;
}

/**
 * What a line with a good checksum holds: still not JSON, perhaps, when it was made by hand.
 * @throws Error that doesn't show the line, as JSON.parse's own does.
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
