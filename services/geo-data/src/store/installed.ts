import { join } from "node:path";
import { readCurrent, versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import type { CheckedFiles } from "@geolookup/geo/databases/known-files.ts";
import { damagedFiles } from "./source.ts";
import { listVersions, type StoredVersion } from "./version-store.ts";

/** The version that is in use, or should be. */
export interface Installed {
  stored: StoredVersion;
  /** The folder of its files. */
  folder: string;
  /** Files that are missing, or have changed since they were installed. */
  damaged: string[];
  /** The version that an operator went back from. */
  rolledBackFrom: StoredVersion | null;
  /** The result of checking its files; version 0.1 didn't record it. */
  checked: CheckedFiles | undefined;
}

/** Reads which version is installed in a folder, and checks its files. @returns null if that is unknown. */
export async function readInstalled(folder: string): Promise<Installed | null> {
  const versions = await listVersions(folder);
  try {
    const { current } = await readCurrent(folder);
    const stored = versions.find(({ version }) => version === current.version);
    if (!stored) return null;
    const versionFolder = join(versionsFolder(folder), stored.version);
    const damaged = (await Promise.all(stored.sources.map((source) => damagedFiles(versionFolder, source)))).flat();
    const rolledBackFrom = versions.find(({ version }) => version === current.rolledBackFrom) ?? null;
    return { stored, folder: versionFolder, damaged, rolledBackFrom, checked: current.checked };
  } catch {
    return null;
  }
}

/** A version for the operator: `v3 (GeoLite2-City 20261120, GeoLite2-ASN 20261121)`. */
export function describeVersion({ version, sources }: StoredVersion): string {
  return `${version} (${sources.map((source) => `${source.name} ${source.version}`).join(", ")})`;
}
