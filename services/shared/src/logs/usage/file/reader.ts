import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { UsageSource } from "../../../domain/usage.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { repeat } from "../../../runtime/service/lifecycle.ts";
import { isMonthRecord, type UsageLine } from "./line.ts";
import { readUsageLines, START, USAGE_LOG_FILE } from "./usage-file.ts";

const POLL_INTERVAL_MS = 250;

/**
 * Follows the usage log of a folder that another process writes to: new lines, and the new file after
 * a compaction, are seen within `pollIntervalMs`. A log that doesn't exist yet is empty. `follow`
 * throws StartError if the log is damaged; later damage is logged, and the file is reread when it changes.
 */
export function openFileUsageLogReader(options: { folder: string; log: Logger; pollIntervalMs?: number }): UsageSource {
  const { folder, log, pollIntervalMs = POLL_INTERVAL_MS } = options;
  const path = join(folder, USAGE_LOG_FILE);
  const followings = new Set<AsyncDisposable>();
  return {
    async follow(apply, applyMonth) {
      const tail = createTail(path, (line) => (isMonthRecord(line) ? applyMonth?.(line) : apply(line, 0)));
      await tail.read().catch(async (error) => {
        await tail[Symbol.asyncDispose]();
        throw error;
      });
      const polling = repeat(pollIntervalMs, tail.read, log);
      const following = {
        async [Symbol.asyncDispose]() {
          followings.delete(following);
          await polling[Symbol.asyncDispose]();
          await tail[Symbol.asyncDispose]();
        },
      };
      followings.add(following);
      return following;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...followings].map((following) => following[Symbol.asyncDispose]()));
    },
  };
}

/** Reads newly appended lines, or from the start if the file was replaced or truncated. */
function createTail(path: string, apply: (line: UsageLine) => void) {
  let file: FileHandle | null = null;
  let inode = 0;
  let position = START;
  /** The file's size when it was found to be damaged: until it changes, it isn't reread or reported again. */
  let damagedAtSize: number | null = null;

  const close = async () => {
    await file?.close();
    file = null;
    position = START;
    damagedAtSize = null;
  };
  /** Opens the file that is now at the path, unless it is already open. */
  const reopen = async () => {
    const current = await openIfExists(path);
    if (!current) return;
    const { ino, size } = await current.stat();
    if (file && ino === inode && size >= position.offset) return current.close();
    await close();
    file = current;
    inode = ino;
  };
  return {
    [Symbol.asyncDispose]: close,
    async read() {
      await reopen();
      if (!file) return;
      const { size } = await file.stat();
      if (size === damagedAtSize || size === position.offset) return;
      try {
        position = await readUsageLines(file, path, position, apply);
        damagedAtSize = null;
      } catch (error) {
        // The writer may have replaced a line that it failed to write, and that was already read.
        position = START;
        damagedAtSize = size;
        throw error;
      }
    },
  };
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
