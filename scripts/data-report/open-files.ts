import { kindsOf } from "@geolookup/geo/databases/data-kinds.ts";
import type { Database } from "@geolookup/geo/databases/database.ts";
import { type DatabaseChoice, readCurrent, timezonesFolderOf } from "@geolookup/geo/databases/installed-databases.ts";
import { openFiles, openInstalled } from "@geolookup/geo/databases/reload-installed.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { listVersions, versionPaths } from "../geo-data/store/version-store.ts";

/** Opens the databases that the service uses. Whether they lost a kind of data is the service's concern. @throws StartError */
export async function openLoaded(choice: DatabaseChoice): Promise<Database[]> {
  if ("files" in choice) return open(choice.files, timezonesFolderOf(choice));
  const { files } = await openInstalled(choice.installedIn, { onLoss: () => {} });
  return files.map(({ database }) => database);
}

/** Opens databases to compare places with. @throws StartError if they, or those in use, have none. */
export async function openCompared(paths: readonly string[], loaded: readonly Database[]): Promise<Database[]> {
  const compared = await open(paths);
  for (const [what, some] of [
    [paths.join(","), compared],
    ["the geo data in use", loaded],
  ] as const)
    if (!kindsOf(some).includes("places"))
      throw new StartError(`${what} has no places to compare; --compare needs a city or country database`);
  return compared;
}

/**
 * Opens the version that was installed before the one in use.
 * @returns null if there is none, or if it can't be used anymore, which is said.
 */
export async function openBefore(
  choice: DatabaseChoice,
  say: (line: string) => void,
): Promise<{ version: string; databases: Database[] } | null> {
  if ("files" in choice) return null;
  const { current } = await readCurrent(choice.installedIn);
  const versions = await listVersions(choice.installedIn);
  const inUse = versions.findIndex(({ version }) => version === current.version);
  const older = versions[inUse - 1];
  if (older === undefined) return null;
  try {
    return {
      version: older.version,
      databases: await open(versionPaths(choice.installedIn, older), timezonesFolderOf(choice)),
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`can't report what changed since ${older.version}: ${error.message}`);
    return null;
  }
}

async function open(paths: readonly string[], timezonesFolder?: string): Promise<Database[]> {
  return (await openFiles(paths, { timezonesFolder })).map(({ database }) => database);
}
