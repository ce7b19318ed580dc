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

function checksum(body: string | Buffer): string {
  return crc32(body).toString(16).padStart(CRC_LENGTH, "0");
}
