import { join } from "node:path";
import { readCurrent, versionsFolder } from "@geolookup/geo/installed-databases.ts";
import { openFiles } from "@geolookup/geo/reload-installed.ts";
import { lockFolder } from "@geolookup/shared/runtime/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { describeVersion } from "./installed.ts";
import { damagedFiles } from "./source.ts";
import { temporaryFolder } from "./staging.ts";
import { listVersions, type StoredVersion, useVersion, versionPaths } from "./version-store.ts";

/** The kept versions as lines for an operator, oldest first; the one in use is marked. */
export async function versionLines(folder: string): Promise<string[]> {
  const inUse = await versionInUse(folder);
  const versions = await listVersions(folder);
  return versions.map(
    (stored) =>
      `${stored.version === inUse ? "*" : " "} ${describeVersion(stored)}, installed ${stored.installedAt}${stored.version === inUse ? ", in use" : ""}`,
  );
}

/**
 * Takes an older version into use again, or the one that is named, newer ones too. It stays in use
 * until there are data newer than those gone back from.
 * @param to null for the one before the one in use.
 * @throws StartError when there is no such version, or it is not whole; nothing is changed then.
 */
export async function rollBack(folder: string, to: string | null, say: (line: string) => void): Promise<void> {
  const temporary = temporaryFolder(folder);
  const unlock = lockFolder(temporary);
  try {
    const versions = await listVersions(folder);
    const inUse = await versionInUse(folder);
    const target = choose(versions, inUse, to, folder);
    for (const source of target.sources) {
      const damaged = await damagedFiles(join(versionsFolder(folder), target.version), source);
      if (damaged.length > 0)
        throw new StartError(`${target.version} cannot be used: ${damaged.join(", ")} is missing or damaged`);
    }
    await openFiles(versionPaths(folder, target));
    const isBack = numberOf(target.version) < numberOf(inUse ?? "v0");
    await useVersion(folder, temporary, target, isBack ? (inUse ?? undefined) : undefined);
    say(
      `in use is ${describeVersion(target)}${inUse ? `, before it was ${inUse}` : ""}; running geo nodes take it within seconds`,
    );
    if (isBack) say(`it stays until there are newer data than ${inUse}'s: --update does not take those again`);
  } finally {
    unlock();
  }
}

function choose(
  versions: readonly StoredVersion[],
  inUse: string | null,
  to: string | null,
  folder: string,
): StoredVersion {
  const kept = versions.length > 0 ? `kept are ${versions.map(({ version }) => version).join(", ")}` : "none is kept";
  if (to === null) {
    if (inUse === null)
      throw new StartError(`${folder} does not say which version is in use; name one with --to; ${kept}`);
    const older = versions.filter(({ version }) => numberOf(version) < numberOf(inUse)).at(-1);
    if (!older) throw new StartError(`there is no version before ${inUse} to go back to; ${kept}`);
    return older;
  }
  const named = versions.find(({ version }) => version === to);
  if (!named) throw new StartError(`there is no version ${JSON.stringify(to)}; ${kept}`);
  if (to === inUse) throw new StartError(`${to} is in use already; ${kept}`);
  return named;
}

async function versionInUse(folder: string): Promise<string | null> {
  try {
    return (await readCurrent(folder)).current.version;
  } catch {
    return null;
  }
}

function numberOf(version: string): number {
  return Number(version.slice(1));
}
