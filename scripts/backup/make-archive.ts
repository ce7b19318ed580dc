import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "@geolookup/shared/runtime/files.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { type Content, filesOf, MANIFEST, SUMS, sha256Of, VERSION } from "./archive.ts";

/**
 * Makes an archive: a folder with a manifest and checksums as `sha256sum -c` reads them, for its owner alone. It is
 * there when all of it is.
 * @param fill writes the FILES and says what they hold.
 * @throws StartError when the folder is there already or cannot be made; what fill throws.
 */
export async function makeArchive(folder: string, fill: (folder: string) => Promise<Content>): Promise<Content> {
  const path = resolve(folder);
  if (await isThere(path)) throw new StartError(`${folder} is there already; name another folder for the backup`);
  const partial = `${path}.partial`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the folder ${folder}: ${(error as Error).message}`);
  }
  try {
    const content = await fill(partial);
    const manifest = { format: "geolookup-backup", version: VERSION, ...content };
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    const sums = await Promise.all(
      filesOf(content).map(async (name) => `${await sha256Of(join(partial, name))}  ${name}\n`),
    );
    await writeFile(join(partial, SUMS), sums.join(""), { mode: 0o600, flush: true });
    await chmod(partial, 0o700);
    await syncFolder(partial);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return content;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
