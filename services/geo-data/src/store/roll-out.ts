import { constants, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedFiles } from "@geolookup/geo/databases/known-files.ts";
import type { Installed } from "./installed.ts";
import type { Source } from "./source.ts";
import { addVersion, listVersions, removeOthers, type StoredVersion, useVersion } from "./version-store.ts";

/** GeoLite's license asks to destroy an old version within 30 days of the release of a newer one. */
const GEOLITE_EXPIRES_MS = 30 * 24 * 60 * 60 * 1_000;

/** A part that is downloaded and checked, ready to be installed with the others. */
export interface Staged {
  source: Source;
  /** Where its files are. */
  folder: string;
}

/** A part that has nothing newer: its files are those in use. */
export interface KeptPart extends Staged {
  kept: true;
}

interface Options {
  folder: string;
  now: () => number;
  say: (line: string) => void;
}

/**
 * Makes a version of downloaded and kept parts and puts it into use. The previous good version is kept, all others are removed.
 * @param checked the result of checking the parts' files.
 */
export async function rollOut(
  parts: readonly (Staged | KeptPart)[],
  installed: Installed | null,
  checked: CheckedFiles,
  temporary: string,
  { folder, now }: Options,
): Promise<StoredVersion> {
  const prepared = join(temporary, "version");
  await rm(prepared, { recursive: true, force: true });
  await mkdir(prepared);
  for (const part of parts)
    for (const { name } of part.source.files) {
      const from = join(part.folder, name);
      // A copy instead of a link: overwriting a file in place must not damage the previous version.
      if ("kept" in part) await copyFile(from, join(prepared, name), constants.COPYFILE_FICLONE);
      else await rename(from, join(prepared, name));
    }
  const sources = parts.map(({ source }) => source);
  const versions = await listVersions(folder);
  const added = await addVersion(folder, prepared, sources, now());
  await useVersion(folder, added, checked);
  const unfit = [installed?.rolledBackFrom?.version, installed?.damaged.length ? installed.stored.version : undefined];
  const good = versions.filter(({ version }) => !unfit.includes(version));
  const before = good.find(({ version }) => version === installed?.stored.version) ?? good.at(-1);
  await removeOthers(folder, before ? [added.version, before.version] : [added.version]);
  for (const part of parts) if (!("kept" in part)) await rm(part.folder, { recursive: true });
  return added;
}

/** Removes GeoLite data whose license has expired: the version in use replaced it long ago. */
export async function removeExpired(
  { stored, rolledBackFrom }: Installed,
  { folder, now, say }: Options,
): Promise<void> {
  if (rolledBackFrom !== null || now() - Date.parse(stored.installedAt) <= GEOLITE_EXPIRES_MS) return;
  const others = (await listVersions(folder)).filter(({ version }) => version !== stored.version);
  const expired = others.filter(({ sources }) => sources.some(({ name }) => name.startsWith("GeoLite")));
  if (expired.length === 0) return;
  const keep = [stored, ...others.filter((other) => !expired.includes(other))];
  await removeOthers(
    folder,
    keep.map(({ version }) => version),
  );
  say(
    `removed ${expired.map(({ version }) => version).join(", ")}: GeoLite's license lets old data be kept for 30 days`,
  );
}
