import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeAll } from "../../../runtime/files/files.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { encodeUsageLine, USAGE_LOG_HEADER, type UsageLine } from "./line.ts";
import { COMPACTION_FILE, readUsageLines, START, USAGE_LOG_FILE } from "./read.ts";

/** How much of a compaction is put together before it is written: the event loop goes on in between. */
const CHUNK_CHARACTERS = 1 << 18;

export interface UsageFile {
  file: FileHandle;
  size: number;
}

/**
 * Opens a folder's usage log to write to it, creating it if needed. A last line torn by a crash is
 * cut off: nobody was told that it was stored.
 * @param apply gets every line.
 * @throws StartError, having changed nothing, when the file cannot be opened or is damaged elsewhere.
 */
export async function openUsageFile(folder: string, log: Logger, apply: (line: UsageLine) => void): Promise<UsageFile> {
  const path = join(folder, USAGE_LOG_FILE);
  if (!(await exists(path)))
    return writeUsageFile(folder, []).catch((error: Error) => {
      throw new StartError(`cannot create the usage log ${path}: ${error.message}`);
    });
  const file = await open(path, "r+").catch((error: Error) => {
    throw new StartError(`cannot open the usage log ${path}: ${error.message}`);
  });
  try {
    const { offset: size, lines } = await readUsageLines(file, path, START, apply);
    const torn = (await file.stat()).size - size;
    if (torn > 0 && lines === 0) throw new StartError(`${path} is no usage log; nothing was changed`);
    if (lines === 0) throw new StartError(`the usage log ${path} is empty; restore it, or remove it to start anew`);
    if (torn > 0) {
      await file.truncate(size);
      await file.sync();
      log.warn({ bytes: torn }, "the usage log's last line was torn by a crash and has been cut off");
    }
    await rm(join(folder, COMPACTION_FILE), { force: true });
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Writes a usage log's file anew, as it shall be after a crash at any moment: whole, or as it was.
 * The file it had is replaced.
 */
export async function writeUsageFile(folder: string, lines: Iterable<UsageLine>): Promise<UsageFile> {
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
    return { file, size };
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
    throw new StartError(`cannot open the usage log ${path}: ${(error as Error).message}`);
  }
}
