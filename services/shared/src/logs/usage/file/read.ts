import type { FileHandle } from "node:fs/promises";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import { scanLines } from "../../append-only-file.ts";
import { decodeUsageLine, USAGE_LOG_HEADER, type UsageLine } from "./line.ts";

/** The log's file in its folder. */
export const USAGE_LOG_FILE = "usage.jsonl";

/** The next version of the file while compaction writes it; ignored until it is renamed. */
export const COMPACTION_FILE = "usage.jsonl.new";

/** How far a usage log's file was read: to the end of its last complete line. */
export interface ReadPosition {
  offset: number;
  lines: number;
}

export const START: ReadPosition = { offset: 0, lines: 0 };

/**
 * Reads the complete lines of a usage log's file from a position. Anything after the last newline is ignored: it is still being
 * written, or a crash interrupted its write.
 * @param path for messages.
 * @returns the new position.
 * @throws StartError naming the first damaged line.
 */
export async function readUsageLines(
  file: FileHandle,
  path: string,
  from: ReadPosition,
  apply: (line: UsageLine) => void,
): Promise<ReadPosition> {
  let { lines } = from;
  const { position: offset } = await scanLines(file, { from: from.offset }, (line) => {
    lines += 1;
    readLine(line, path, lines, apply);
  });
  return { offset, lines };
}

function readLine(line: Buffer, path: string, number: number, apply: (line: UsageLine) => void): void {
  let read: UsageLine | undefined;
  try {
    if (number > 1) read = decodeUsageLine(line);
    else if (line.toString() !== USAGE_LOG_HEADER) throw new Error(`it should be ${USAGE_LOG_HEADER}`);
  } catch (error) {
    throw new StartError(
      `the usage log ${path} is damaged at line ${number}: ${(error as Error).message}. Nothing was changed. ` +
        "Restore the file from a backup, or remove the line to continue without its counts",
    );
  }
  if (read) apply(read);
}
