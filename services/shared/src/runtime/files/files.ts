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
