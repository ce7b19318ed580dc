import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeAll } from "../../../runtime/files/files.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { AppendOnlyFile, scanLines } from "../../files/log-file.ts";
import { decodeUsageLine, encodeUsageLine, USAGE_LOG_HEADER, type UsageLine } from "./line.ts";

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

/** A compaction is written in chunks, so it doesn't block the event loop. */
const CHUNK_CHARACTERS = 1 << 18;

/**
 * Opens a folder's usage log for writing, creating it if needed. A last line torn by a crash is
 * removed: it was never reported as stored.
 * @param apply called with every line.
 * @throws StartError if the file can't be opened or is damaged elsewhere; then it isn't changed.
 */
export async function openUsageFile(
  folder: string,
  log: Logger,
  apply: (line: UsageLine) => void,
): Promise<AppendOnlyFile> {
  const path = join(folder, USAGE_LOG_FILE);
  if (!(await exists(path)))
    return writeUsageFile(folder, []).catch((error: Error) => {
      throw new StartError(`can't create the usage log ${path}: ${error.message}`);
    });
  const file = await open(path, "r+").catch((error: Error) => {
    throw new StartError(`can't open the usage log ${path}: ${error.message}`);
  });
  try {
    const { offset: size, lines } = await readUsageLines(file, path, START, apply);
    const torn = (await file.stat()).size - size;
    if (torn > 0 && lines === 0) throw new StartError(`${path} isn't a usage log; nothing was changed`);
    if (lines === 0)
      throw new StartError(`the usage log ${path} is empty; restore it, or delete it to start from zero`);
    if (torn > 0) {
      await file.truncate(size);
      await file.sync();
      log.warn({ bytes: torn }, "usage log: incomplete last line removed; a crash interrupted its write");
    }
    await rm(join(folder, COMPACTION_FILE), { force: true });
    return new AppendOnlyFile(file, size);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Atomically replaces a usage log's file: after a crash at any moment, it has either the old or the new content. */
export async function writeUsageFile(folder: string, lines: Iterable<UsageLine>): Promise<AppendOnlyFile> {
  const temporary = join(folder, COMPACTION_FILE);
  const file = await open(temporary, "w+", 0o600);
  try {
    let size = 0;
    let text = `${USAGE_LOG_HEADER}\n`;
    for (const line of lines) {
      text += `${encodeUsageLine(line)}\n`;
      if (text.length < CHUNK_CHARACTERS) continue;
      size += await writeAll(file, text, size);
      text = "";
    }
    size += await writeAll(file, text, size);
    await file.sync();
    await rename(temporary, join(folder, USAGE_LOG_FILE));
    await syncFolder(folder);
    return new AppendOnlyFile(file, size);
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw new StartError(`can't open the usage log ${path}: ${(error as Error).message}`);
  }
}
