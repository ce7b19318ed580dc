import { constants, copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { DataKind } from "../databases/data-kinds.ts";
import { openDatabase } from "../databases/database.ts";
import { CURRENT_FILE, type Current, versionsFolder } from "../databases/installed-databases.ts";
import { knownFiles, recordChecked } from "../databases/known-files.ts";
import {
  currentVersion,
  hasSha256,
  type LocalRecord,
  type LocalVersion,
  listLocalVersions,
  nextVersionName,
  RECORD_FILE,
  removeOtherVersions,
} from "./local-versions.ts";
import { type Content, isSameSet, type Manifest } from "./manifest.ts";

/** The databases of a manifest can't be used, however often they are downloaded. The message is one line for the operator. */
export class RefusedSetError extends Error {}

/** Downloads a file to a path, which has the whole file afterwards, or nothing. */
export type Download = (file: Content, path: string) => Promise<void>;

/** Where unfinished copies are: on the same file system as the versions. */
export function temporaryFolder(folder: string): string {
  return join(folder, ".download");
}

/**
 * Puts the databases of a manifest into use in a folder, all together or not at all. Files that are here already aren't
 * downloaded. The previous version is kept, as long as the server keeps it too.
 * @returns whether others were in use before.
 * @throws RefusedSetError if a database doesn't pass the checks; what downloading throws; disk errors; the signal's reason.
 */
export async function installSet(
  manifest: Manifest,
  { folder, download, signal }: { folder: string; download: Download; signal: AbortSignal },
): Promise<boolean> {
  const before = await currentVersion(folder);
  const isKept = before === null || before.databases.every(({ sha256 }) => manifest.kept.includes(sha256));
  if (before !== null && isSameSet(before.databases, manifest.databases)) {
    const local = await listLocalVersions(folder);
    const kept = local.filter(({ databases }) => databases.every(({ sha256 }) => manifest.kept.includes(sha256)));
    await removeOtherVersions(folder, [before.name, ...kept.map(({ name }) => name)]);
    return false;
  }
  const temporary = temporaryFolder(folder);
  const prepared = join(temporary, "version");
  await removeLeftovers(temporary, manifest);
  await mkdir(prepared, { recursive: true });
  const local = await listLocalVersions(folder);
  const downloaded: string[] = [];
  for (const file of manifest.databases) {
    const staged = join(temporary, file.sha256);
    // An attempt that ended early may have left it.
    if (!(await hasSha256(staged, file.sha256))) await obtain(file, staged, { folder, local, download });
    downloaded.push(staged);
  }
  for (const [index, { name }] of manifest.databases.entries())
    await rename(downloaded[index] as string, join(prepared, name));
  const { version, databases } = manifest;
  const checked = await check(manifest, prepared, local, signal);
  const record: LocalRecord = { version, databases, checked };
  await writeFile(join(prepared, RECORD_FILE), JSON.stringify(record), { mode: 0o600 });
  const name = await nextVersionName(folder);
  await mkdir(versionsFolder(folder), { recursive: true });
  await rename(prepared, join(versionsFolder(folder), name));
  const current: Current = { version: name, databases: databases.map((file) => file.name), checked };
  await replaceFile(join(folder, CURRENT_FILE), JSON.stringify(current));
  await removeOtherVersions(folder, before !== null && isKept ? [name, before.name] : [name]);
  return true;
}

async function obtain(
  file: Manifest["databases"][number],
  target: string,
  { folder, local, download }: { folder: string; local: readonly LocalVersion[]; download: Download },
): Promise<void> {
  for (const { name, databases } of local) {
    const same = databases.find(({ sha256 }) => sha256 === file.sha256);
    if (!same) continue;
    const partial = `${target}.part`;
    const isCopied = await copyFile(
      join(versionsFolder(folder), name, same.name),
      partial,
      constants.COPYFILE_FICLONE,
    ).then(
      () => true,
      () => false,
    );
    if (isCopied && (await hasSha256(partial, file.sha256))) return await rename(partial, target);
  }
  await download(file, target);
}

/** Checks files as the service does when it opens them. Only one is in memory at a time. */
async function check(
  { databases }: Manifest,
  prepared: string,
  local: readonly LocalVersion[],
  signal: AbortSignal,
): Promise<LocalRecord["checked"]> {
  const known = Object.assign({}, ...local.map((version) => knownFiles(version.checked)));
  const checked: { sha256: string; database: { kinds: readonly DataKind[] } }[] = [];
  for (const file of databases) {
    const { sha256, database } = await openDatabase(join(prepared, file.name), { known, signal }).catch(
      (error: Error) => {
        throw error instanceof StartError ? new RefusedSetError(problemOf(error, prepared)) : error;
      },
    );
    if (sha256 !== file.sha256) throw new Error(`${file.name} changed on disk`);
    checked.push({ sha256, database: { kinds: database.kinds } });
  }
  return recordChecked(checked);
}

/** The problem without what to do with a local file about it. */
function problemOf({ message }: StartError, prepared: string): string {
  return (message.split(";")[0] ?? "").replaceAll(`${prepared}/`, "");
}

/** Removes what earlier attempts left, but for the files of this manifest and the lock. */
async function removeLeftovers(temporary: string, { databases }: Manifest): Promise<void> {
  const useful = new Set(["lock", ...databases.map(({ sha256 }) => sha256)]);
  for (const name of await readdir(temporary).catch((): string[] => []))
    if (!useful.has(name)) await rm(join(temporary, name), { recursive: true, force: true });
}
