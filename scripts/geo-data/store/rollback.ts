import { join } from "node:path";
import { kindsOf, lostKinds } from "@geolookup/geo/databases/data-kinds.ts";
import { type Current, readCurrent, versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { kindsOfChecked, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { openFiles } from "@geolookup/geo/databases/reload-installed.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { describeVersion } from "./installed.ts";
import { damagedFiles, partNames } from "./source.ts";
import { listVersions, type StoredVersion, temporaryFolder, useVersion, versionPaths } from "./version-store.ts";

/** The kept versions as lines for an operator, oldest first; the one in use is marked. */
export async function versionLines(folder: string): Promise<string[]> {
  const inUse = (await currentOf(folder))?.version;
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
 * @param takesLess whether to use data without the places or networks that those in use have.
 * @throws StartError when there is no such version, or it is not whole; nothing is changed then.
 */
export async function rollBack(
  folder: string,
  { to, takesLess }: { to: string | null; takesLess: boolean },
  say: (line: string) => void,
): Promise<void> {
  const temporary = temporaryFolder(folder);
  const unlock = lockFolder(temporary);
  try {
    const versions = await listVersions(folder);
    const current = await currentOf(folder);
    const inUse = current?.version ?? null;
    const target = choose(versions, inUse, to, folder);
    for (const source of target.sources) {
      const damaged = await damagedFiles(join(versionsFolder(folder), target.version), source);
      if (damaged.length > 0)
        throw new StartError(`${target.version} cannot be used: ${damaged.join(", ")} is missing or damaged`);
    }
    const files = await openFiles(versionPaths(folder, target));
    const stored = versions.find(({ version }) => version === inUse);
    const isSameChoice = stored !== undefined && partNames(stored.sources) === partNames(target.sources);
    const before = isSameChoice && current?.checked ? kindsOfChecked(current.checked) : [];
    const lost = lostKinds(before, kindsOf(files.map(({ database }) => database)));
    if (lost !== null && !takesLess)
      throw new StartError(
        `${target.version} has no ${lost}, unlike ${inUse}; it was not taken into use (--force takes it)`,
      );
    const isBack = numberOf(target.version) < numberOf(inUse ?? "v0");
    await useVersion(folder, temporary, target, recordChecked(files), isBack ? (inUse ?? undefined) : undefined);
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

async function currentOf(folder: string): Promise<Current | null> {
  try {
    return (await readCurrent(folder)).current;
  } catch {
    return null;
  }
}

function numberOf(version: string): number {
  return Number(version.slice(1));
}
