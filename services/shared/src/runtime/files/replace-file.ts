import { randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./files.ts";

/**
 * Gives a file another content. Whoever reads it meanwhile, and after a power loss, finds the old or the new, whole.
 * Its owner and mode stay, except that other users lose access, since these files are secrets.
 * @param newMode of a file that is not there yet.
 * @throws Error of the system; then the file is as it was.
 */
export async function replaceFile(path: string, content: string, newMode = 0o600): Promise<void> {
  const before = await statOf(path);
  const folder = dirname(resolve(path));
  // In the same folder: a rename does not reach another file system. A name of its own: no two writers share it.
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
