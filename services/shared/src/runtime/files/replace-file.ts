import { randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./files.ts";

const OTHERS_READ = 0o004;

/**
 * Replaces a file's content atomically and durably: even after a power failure, readers find either the old or the new content. Its
 * owner and mode stay, except that other users lose their access to a secret.
 *
 * The package write-file-atomic isn't used: it keeps other users' access, even while it writes, ignores a failed chown, and doesn't
 * sync the folder.
 * @param content written part by part if it is iterable; what it throws is rethrown.
 * @param newMode of a file that doesn't exist yet. What it gives to other users, an existing file keeps: it isn't a secret. If others may
 * read it, it may also get a new owner, where the system doesn't let this process keep the old one.
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
        await file.chown(before.uid, before.gid).catch((error) => {
          if ((newMode & OTHERS_READ) === 0) throw error;
        });
      await file.chmod(before ? before.mode & (0o770 | newMode) : newMode);
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
