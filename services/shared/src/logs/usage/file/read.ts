import type { FileHandle } from "node:fs/promises";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import { decodeUsageLine, USAGE_LOG_HEADER, type UsageLine } from "./line.ts";

/** The log's file in its folder. */
export const USAGE_LOG_FILE = "usage.jsonl";

/** The next version of the file while compaction writes it; worth nothing before it is renamed. */
export const COMPACTION_FILE = "usage.jsonl.new";

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** How far a usage log's file was read: past its last whole line. */
export interface ReadPosition {
  offset: number;
  lines: number;
}

export const START: ReadPosition = { offset: 0, lines: 0 };

/**
 * Reads the whole lines of a usage log's file from a position on. What follows the last newline
 * is left alone: it is being written, or was torn by a crash.
 * @param path for messages.
 * @returns the position reached.
 * @throws StartError naming the first line that is damaged.
 */
export async function readUsageLines(
  file: FileHandle,
  path: string,
  from: ReadPosition,
  apply: (line: UsageLine) => void,
): Promise<ReadPosition> {
  let { offset, lines } = from;
  let rest = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, offset + rest.length);
    if (bytesRead === 0) return { offset, lines };
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
      lines += 1;
      readLine(rest.subarray(start, end), path, lines, apply);
      start = end + 1;
    }
    offset += start;
    rest = rest.subarray(start);
  }
}

function readLine(line: Buffer, path: string, number: number, apply: (line: UsageLine) => void): void {
  let read: UsageLine | undefined;
  try {
    if (number > 1) read = decodeUsageLine(line);
    else if (line.toString() !== USAGE_LOG_HEADER) throw new Error(`it should read ${USAGE_LOG_HEADER}`);
  } catch (error) {
    throw new StartError(
      `the usage log ${path} is damaged in line ${number}: ${(error as Error).message}. Nothing was changed. ` +
        "Restore the file from a backup, or take the line out to go on without the counts it held",
    );
  }
  if (read) apply(read);
}
