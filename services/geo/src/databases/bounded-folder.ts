import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One report for each set of databases, so the last 8 sets. */
const MAX_FILES = 8;

/**
 * Stores a file that can be computed again, in a folder for such files, and removes the oldest ones.
 * @throws what writing throws; the folder is unchanged then.
 */
export async function storeInFolder(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  const prepared = `${path}.${process.pid}`;
  try {
    await writeFile(prepared, content);
    await rename(prepared, path);
  } catch (error) {
    await rm(prepared, { force: true });
    throw error;
  }
  await removeOldest(folder);
}

async function removeOldest(folder: string): Promise<void> {
  const files: { path: string; writtenMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may have removed it.
    const stats = await stat(path).catch(() => null);
    if (stats !== null) files.push({ path, writtenMs: stats.mtimeMs });
  }
  files.sort((one, other) => other.writtenMs - one.writtenMs);
  for (const { path } of files.slice(MAX_FILES)) await rm(path, { force: true });
}
