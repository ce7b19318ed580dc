import { type DatabaseChoice, pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import { knownFiles } from "@geolookup/geo/databases/known-files.ts";
import { describeFiles, type ReportFile } from "@geolookup/geo/report/report-in-workers.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { listVersions, versionPaths } from "../store/version-store.ts";

/** The databases that the service uses. Only the service checks whether they still have locations and networks. @throws StartError */
export async function findLoaded(choice: DatabaseChoice, nowMs: number): Promise<ReportFile[]> {
  if ("files" in choice) return describeFiles(choice.files, { nowMs });
  const { current } = await readCurrent(choice.installedIn);
  return describeFiles(pathsOf(choice.installedIn, current), { known: knownFiles(current.checked), nowMs });
}

/** Databases to compare locations with. @throws StartError if they, or those in use, have none. */
export async function findCompared(
  paths: readonly string[],
  loaded: readonly ReportFile[],
  nowMs: number,
): Promise<ReportFile[]> {
  const compared = await describeFiles(paths, { nowMs });
  for (const [what, some] of [
    [paths.join(","), compared],
    ["the geo data in use", loaded],
  ] as const)
    if (!some.some(({ kinds }) => kinds.includes("places")))
      throw new StartError(`${what} has no locations to compare; --compare needs a city or country database`);
  return compared;
}

/**
 * The version that was installed before the one in use.
 * @returns null if there is none, or if it can't be used anymore, which is reported.
 */
export async function findBefore(
  choice: DatabaseChoice,
  nowMs: number,
  say: (line: string) => void,
): Promise<{ version: string; files: ReportFile[] } | null> {
  if ("files" in choice) return null;
  const { current } = await readCurrent(choice.installedIn);
  const versions = await listVersions(choice.installedIn);
  const inUse = versions.findIndex(({ version }) => version === current.version);
  const older = versions[inUse - 1];
  if (older === undefined) return null;
  try {
    return { version: older.version, files: await describeFiles(versionPaths(choice.installedIn, older), { nowMs }) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`can't report what changed since ${older.version}: ${error.message}`);
    return null;
  }
}
