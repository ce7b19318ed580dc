import { join } from "node:path";
import { kindsOf, lostKinds } from "@geolookup/geo/databases/data-kinds.ts";
import { type Current, readCurrent, versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { kindsOfChecked, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { openFiles } from "@geolookup/geo/databases/open-files.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { describeVersion } from "./installed.ts";
import { damagedFiles, partNames } from "./source.ts";
import { listVersions, type StoredVersion, temporaryFolder, useVersion, versionPaths } from "./version-store.ts";

/** The stored versions, the newest first, and which of them is in use. */
export async function storedVersions(folder: string) {
  const inUse = (await currentOf(folder))?.version;
  const versions = await listVersions(folder);
  return versions.map((stored) => ({ ...stored, isInUse: stored.version === inUse }));
}

/** A version as a line for operators. */
export function versionLine({ isInUse, ...stored }: Awaited<ReturnType<typeof storedVersions>>[number]): string {
  return `${isInUse ? "*" : " "} ${describeVersion(stored)}, installed ${stored.installedAt}${isInUse ? ", in use" : ""}`;
}

/**
 * Goes back to an older version, or switches to a given one. An older version stays in use until there is newer data
 * than the version rolled back from.
 * @param to null for the version before the one in use.
 * @param takesLess whether to accept data without places or networks that the data in use has.
 * @throws StartError if the version doesn't exist or is damaged; nothing has changed then.
 */
export async function rollBack(
  folder: string,
  { to, takesLess }: { to: string | null; takesLess: boolean },
  say: (line: string) => void,
): Promise<void> {
  using _lock = lockFolder(temporaryFolder(folder));
  const versions = await listVersions(folder);
  const current = await currentOf(folder);
  const inUse = current?.version ?? null;
  const target = choose(versions, inUse, to, folder);
  for (const source of target.sources) {
    const damaged = await damagedFiles(join(versionsFolder(folder), target.version), source);
    if (damaged.length > 0)
      throw new StartError(`${target.version} can't be used: ${damaged.join(", ")} is missing or damaged`);
  }
  const files = await openFiles(versionPaths(folder, target));
  const stored = versions.find(({ version }) => version === inUse);
  const isSameChoice = stored !== undefined && partNames(stored.sources) === partNames(target.sources);
  const before = isSameChoice && current?.checked ? kindsOfChecked(current.checked) : [];
  const lost = lostKinds(before, kindsOf(files.map(({ database }) => database)));
  if (lost !== null && !takesLess)
    throw new StartError(
      `${target.version} has no ${lost}, unlike ${inUse}; it wasn't installed (--force uses it anyway)`,
    );
  const isBack = numberOf(target.version) < numberOf(inUse ?? "v0");
  await useVersion(folder, target, recordChecked(files), isBack ? (inUse ?? undefined) : undefined);
  say(
    `now using ${describeVersion(target)}${inUse ? ` instead of ${inUse}` : ""}; running geo nodes switch to it within seconds`,
  );
  if (isBack) say(`it stays in use until there is newer data than ${inUse}: --update doesn't install ${inUse} again`);
}

function choose(
  versions: readonly StoredVersion[],
  inUse: string | null,
  to: string | null,
  folder: string,
): StoredVersion {
  const kept =
    versions.length > 0
      ? `the stored versions are ${versions.map(({ version }) => version).join(", ")}`
      : "no version is stored";
  if (to === null) {
    if (inUse === null)
      throw new StartError(`${folder} doesn't say which version is in use; name one with --to; ${kept}`);
    const older = versions.filter(({ version }) => numberOf(version) < numberOf(inUse)).at(-1);
    if (!older) throw new StartError(`there is no version before ${inUse}; ${kept}`);
    return older;
  }
  const named = versions.find(({ version }) => version === to);
  if (!named) throw new StartError(`there is no version ${JSON.stringify(to)}; ${kept}`);
  if (to === inUse) throw new StartError(`${to} is already in use; ${kept}`);
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
