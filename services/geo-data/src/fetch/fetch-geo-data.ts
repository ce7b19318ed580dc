import { statfs } from "node:fs/promises";
import { knownFiles, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { isDiskFull } from "../download/fetch-persistently.ts";
import { type Installed, readInstalled } from "../store/installed.ts";
import { temporaryFolder, useVersion, versionPaths } from "../store/version-store.ts";
import { reasonToKeep } from "./decide.ts";
import type { FetchOptions, FetchResult } from "./fetch-parts.ts";

/**
 * Fetches the geo data, unless complete data is installed. All parts are downloaded into a temporary folder, checked as the
 * geo service checks them, and compared with the data that they replace. Then all switch together, and the previous version is
 * kept.
 * @throws RefusedDataError if what was downloaded isn't plausible. @throws StartError with one line for what the operator can fix; other disk errors as they are.
 */
export async function fetchGeoData(options: FetchOptions): Promise<FetchResult> {
  const { folder, vendor, refetch, say } = options;
  const installed = options.installed === undefined ? await readInstalled(folder) : options.installed;
  if (installed && installed.damaged.length > 0)
    say(`${installed.damaged.join(", ")}: missing or damaged (SHA-256 differs from when it was put in place)`);
  const reason = reasonToKeep(installed, vendor, refetch);
  if (reason !== null && installed) {
    say(reason);
    if (installed.damaged.length === 0) await recordMissingCheck(folder, installed, say);
    return { outcome: "kept", stored: installed.stored };
  }
  // Most starts don't get here: they don't load what downloads and checks data.
  const { fetchParts } = await import("./fetch-parts.ts");
  const temporary = temporaryFolder(folder);
  using _lock = lockFolder(temporary);
  try {
    return await fetchParts(installed, temporary, options);
  } catch (error) {
    throw isDiskFull(error) ? await diskFullError(folder) : error;
  }
}

/** For the downloads of a run, what they unpack to, and the previous version: twice what the default data takes. */
const NEEDED_MB = 500;

async function diskFullError(folder: string): Promise<StartError> {
  const { bavail, bsize } = await statfs(folder);
  return new StartError(
    `the disk of ${folder} is full: ${Math.floor((bavail * bsize) / 1e6)} MB are free, and an update needs about ${NEEDED_MB} MB; nothing was changed; free some space, or set DATA_DIR to a folder with more`,
  );
}

/**
 * Checks data installed by an older version, and records the result, so that starts don't read every record again.
 * @throws StartError when they don't pass.
 */
async function recordMissingCheck(
  folder: string,
  { stored, checked, rolledBackFrom }: Installed,
  say: (line: string) => void,
): Promise<void> {
  if (Object.keys(knownFiles(checked)).length > 0) return;
  using _lock = lockFolder(temporaryFolder(folder));
  say(`checking ${stored.version} once, so that starts don't have to`);
  const { openFiles } = await import("@geolookup/geo/databases/open-files.ts");
  const files = await openFiles(versionPaths(folder, stored));
  await useVersion(folder, stored, recordChecked(files), rolledBackFrom?.version);
}
