import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Logger } from "../log.ts";
import type { VerifiedKeyLog } from "./key-log-file.ts";
import { KEY_LOG_HEADER } from "./key-log-line.ts";

/**
 * Brings a verified file into its whole form, durably: a torn tail is cut off, a missing line end
 * or header written.
 * @returns the file's size in bytes from here on.
 */
export async function mendKeyLog(
  file: FileHandle,
  path: string,
  verified: VerifiedKeyLog,
  log: Logger,
): Promise<number> {
  let { size } = verified;
  const { kind, bytes } = verified.tail;
  if (kind === "unended") {
    log.warn({ path }, "the key log's last line lacked its end; it is whole and was kept");
    size += bytes + (await writeAll(file, Buffer.from("\n"), size + bytes));
  } else if (kind === "torn") {
    log.warn({ path, bytes }, "the key log's last line was cut short by a crash and was removed");
    await file.truncate(size);
  }
  if (size === 0) size = await writeAll(file, Buffer.from(KEY_LOG_HEADER), 0);
  await file.datasync();
  return size;
}

/** Writes all bytes at a position, however many calls that takes; returns their number. */
export async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
  return bytes.length;
}

/** Makes the names of new files in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
