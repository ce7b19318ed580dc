import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Writes all of a text or bytes at a position. @returns the length in bytes. */
export async function writeAll(file: FileHandle, content: string | Buffer, position: number): Promise<number> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
  return bytes.length;
}

/** Makes the names of new and renamed files in a folder durable. Windows can't sync folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Far more than any plans or signing keys need. */
const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file that operators change while the service runs. It never blocks: otherwise, with a pipe or a device at that path, the
 * process would hang and ignore SIGTERM.
 * @throws Error if it isn't a regular file, is larger than 16 MB, or can't be read.
 */
export function readSettingsFile(path: string): string {
  // Windows has no O_NONBLOCK, and no pipes in folders.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it isn't a regular file");
    if (stats.size > MAX_SETTINGS_BYTES) throw new Error(`it is larger than ${MAX_SETTINGS_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
