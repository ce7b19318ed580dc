import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CURRENT_FILE, type Current, pathsOf, versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import type { CheckedFiles } from "@geolookup/geo/databases/known-files.ts";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { z } from "zod";
import { type Source, sourceSchema } from "./source.ts";

const RECORD_FILE = "sources.json";

const record = z.object({
  /** RFC 3339, UTC. */
  installedAt: z.string(),
  /** In priority order. */
  sources: z.array(sourceSchema).min(1),
});

/** A version that is kept. */
export interface StoredVersion {
  version: string;
  installedAt: string;
  sources: Source[];
}

/** Where unfinished downloads are: on the same file system as the versions, so that a rename installs them. */
export function temporaryFolder(folder: string): string {
  return join(folder, ".download");
}

/** The versions kept in a folder, oldest first; those without a record that can be read are left out. */
export async function listVersions(folder: string): Promise<StoredVersion[]> {
  const stored: StoredVersion[] = [];
  for (const version of await versionNames(folder)) {
    try {
      const text = await readFile(join(versionsFolder(folder), version, RECORD_FILE), "utf8");
      stored.push({ version, ...record.parse(JSON.parse(text)) });
    } catch {
      // An incomplete version is useless: nothing is known about its files.
    }
  }
  return stored;
}

/**
 * Adds a folder of checked databases to the versions, without using it yet. After a crash or power loss, the version is
 * complete or doesn't exist.
 * @param prepared a folder on the same file system, with all the databases.
 * @returns the new version.
 */
export async function addVersion(
  folder: string,
  prepared: string,
  sources: Source[],
  nowMs: number,
): Promise<StoredVersion> {
  const versions = versionsFolder(folder);
  await mkdir(versions, { recursive: true });
  const last = Math.max(0, ...(await versionNames(folder)).map(numberOf));
  const added = { installedAt: new Date(nowMs).toISOString(), sources };
  await writeFile(join(prepared, RECORD_FILE), `${JSON.stringify(added, null, 2)}\n`);
  for (const name of await readdir(prepared)) await syncFile(join(prepared, name));
  await syncFolder(prepared);
  const version = `v${last + 1}`;
  await rename(prepared, join(versions, version));
  await syncFolder(versions);
  await syncFolder(folder);
  return { version, ...added };
}

/** The databases of a version, in priority order. */
function databasesOf({ sources }: Pick<StoredVersion, "sources">): string[] {
  return sources.flatMap(({ files }) => files.map(({ name }) => name));
}

/** Paths of a version's databases, in priority order. */
export function versionPaths(folder: string, stored: StoredVersion): string[] {
  return pathsOf(folder, { version: stored.version, databases: databasesOf(stored) });
}

/**
 * Puts a version into use for every geo node that reads the folder.
 * @param checked the result of checking its files: nodes that find the same bytes needn't read every record again.
 */
export async function useVersion(
  folder: string,
  stored: StoredVersion,
  checked: CheckedFiles,
  rolledBackFrom?: string,
): Promise<void> {
  const current: Current = { version: stored.version, databases: databasesOf(stored), rolledBackFrom, checked };
  await replaceFile(join(folder, CURRENT_FILE), `${JSON.stringify(current, null, 2)}\n`, 0o644);
}

/** Removes all versions except some. */
export async function removeOthers(folder: string, keep: readonly string[]): Promise<void> {
  for (const version of await versionNames(folder))
    if (!keep.includes(version)) await rm(join(versionsFolder(folder), version), { recursive: true, force: true });
}

async function versionNames(folder: string): Promise<string[]> {
  const names = await readdir(versionsFolder(folder)).catch((): string[] => []);
  return names.filter((name) => /^v\d+$/.test(name)).sort((one, other) => numberOf(one) - numberOf(other));
}

function numberOf(version: string): number {
  return Number(version.slice(1));
}

/** Makes the bytes of a file durable. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
