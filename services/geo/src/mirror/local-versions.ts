import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { CURRENT_FILE, readCurrent, versionsFolder } from "../databases/installed-databases.ts";
import { checkedFiles, distrustUnless } from "../databases/known-files.ts";
import { openInstalled } from "../databases/reload-installed.ts";
import { openRegularFile, readWhole } from "../databases/whole-file.ts";
import { isSameSet, manifestSchema } from "./manifest.ts";

/** In a version's folder: what the server said about it. */
export const RECORD_FILE = "served.json";
const MAX_RECORD_BYTES = 1_000_000;

const record = z.object({
  version: manifestSchema.shape.version,
  databases: manifestSchema.shape.databases,
  checked: checkedFiles,
});

/** What is recorded of a copied version. */
export type LocalRecord = z.infer<typeof record>;

/** A version that was copied from the server. */
export interface LocalVersion extends LocalRecord {
  /** Its name here. */
  name: string;
}

/** The versions in a folder, oldest first. What isn't one is left out. */
export async function listLocalVersions(folder: string): Promise<LocalVersion[]> {
  const local: LocalVersion[] = [];
  for (const name of await versionNames(folder)) {
    try {
      const file = await readWhole(join(versionsFolder(folder), name, RECORD_FILE), MAX_RECORD_BYTES);
      if (file === null) continue;
      const read = record.parse(JSON.parse(String(file.bytes)));
      local.push({ name, ...read, checked: distrustUnless(file.isOurs, read.checked) });
    } catch {
      // Without a record, nothing is known about its files.
    }
  }
  return local;
}

/** The version in use; null if there is none. */
export async function currentVersion(folder: string): Promise<LocalVersion | null> {
  const name = await readCurrent(folder).then(
    ({ current }) => current.version,
    () => null,
  );
  return (await listLocalVersions(folder)).find((version) => version.name === name) ?? null;
}

/**
 * Finds out whether the version in use has the files that were copied, and passes the checks of this release. Otherwise, it
 * isn't in use any longer.
 * @returns whether there is a version to start with.
 * @throws the signal's reason.
 */
export async function keepIfUsable(folder: string, signal: AbortSignal): Promise<boolean> {
  const local = await currentVersion(folder);
  try {
    const { files } = await openInstalled(folder, { signal, onLoss: () => {} });
    const found = files.map(({ sha256, database }) => ({ name: database.info.name, sha256, size: 1 }));
    if (local !== null && isSameSet(found, local.databases)) return true;
  } catch {
    signal.throwIfAborted();
  }
  await rm(join(folder, CURRENT_FILE), { force: true });
  return false;
}

/** Removes all versions but some. */
export async function removeOtherVersions(folder: string, keep: readonly string[]): Promise<void> {
  for (const name of await versionNames(folder))
    if (!keep.includes(name)) await rm(join(versionsFolder(folder), name), { recursive: true, force: true });
}

/** A name that no version has had. */
export async function nextVersionName(folder: string): Promise<string> {
  return `v${Math.max(0, ...(await versionNames(folder)).map(numberOf)) + 1}`;
}

/** Whether a file exists and has a hash. */
export async function hasSha256(path: string, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    const { file } = await openRegularFile(path);
    await pipeline(file.createReadStream(), hash);
  } catch {
    return false;
  }
  return hash.digest("hex") === sha256;
}

async function versionNames(folder: string): Promise<string[]> {
  const names = await readdir(versionsFolder(folder)).catch((): string[] => []);
  return names.filter((name) => /^v\d+$/.test(name)).sort((one, other) => numberOf(one) - numberOf(other));
}

function numberOf(name: string): number {
  return Number(name.slice(1));
}
