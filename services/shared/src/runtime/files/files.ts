import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

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

/**
 * Replaces a file's content atomically and durably: even after a power failure, readers find either the old or the new content. Its
 * owner and mode stay, except that other users lose access, since these files are secrets.
 *
 * The package write-file-atomic isn't used: it keeps other users' access, even while it writes, ignores a failed chown, and doesn't
 * sync the folder.
 * @param content written part by part if it is iterable; what it throws is rethrown.
 * @param newMode of a file that doesn't exist yet.
 * @throws Error of the system; then the file is unchanged.
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<string>,
  newMode = 0o600,
): Promise<void> {
  const before = await statOf(path);
  const folder = dirname(resolve(path));
  // In the same folder, since a rename can't cross file systems; with a random name, since two writers must not share it.
  const partial = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(partial, "wx", 0o600);
    try {
      await file.writeFile(content);
      if (before && (before.uid !== process.getuid?.() || before.gid !== process.getgid?.()))
        await file.chown(before.uid, before.gid);
      await file.chmod(before ? before.mode & 0o770 : newMode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Far more than any plans or signing keys need. */
const MAX_BYTES = 16 * 1024 * 1024;

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
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
