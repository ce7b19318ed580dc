import { knownFiles, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import type { Installed } from "./installed.ts";
import { temporaryFolder, useVersion, versionPaths } from "./version-store.ts";

/**
 * Checks data installed by an older version, and records the result, so that starts don't read every record again.
 * @throws StartError when they don't pass.
 */
export async function recordMissingCheck(
  folder: string,
  { stored, checked, rolledBackFrom }: Installed,
  say: (line: string) => void,
): Promise<void> {
  if (Object.keys(knownFiles(checked)).length > 0) return;
  const temporary = temporaryFolder(folder);
  using _lock = lockFolder(temporary);
  say(`checking ${stored.version} once, so that starts don't have to`);
  const { openFiles } = await import("@geolookup/geo/databases/open-files.ts");
  const files = await openFiles(versionPaths(folder, stored));
  await useVersion(folder, temporary, stored, recordChecked(files), rolledBackFrom?.version);
}
