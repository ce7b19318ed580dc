import { basename } from "node:path";
import { knownFiles } from "@geolookup/geo/databases/known-files.ts";
import type { OpenedFile } from "@geolookup/geo/databases/open-files.ts";
import { readTable, timezonesFolder } from "@geolookup/geo/timezones/table-folder.ts";
import type { Installed } from "./installed.ts";
import { versionPaths } from "./version-store.ts";

/** Computes the time zones of databases that are about to be used, so that no geo node has to. It never fails. */
export async function prepareTimezones(
  files: readonly OpenedFile[],
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  const { computeMissingTimezones } = await import("@geolookup/geo/timezones/compute-missing.ts");
  await computeMissingTimezones(files, timezonesFolder(folder), {
    onComputed: (path, records) => say(`${basename(path)}: time zones of ${records} locations computed`),
    onFailed: (path, problem) =>
      say(
        `${basename(path)}: can't compute time zones (${problem}); geo nodes will try, and use a coarse grid until then`,
      ),
    onNotStored: (path, problem) =>
      say(`${basename(path)}: can't store time zones (${problem}); geo nodes compute them at each start`),
  });
}

/** The same for installed data without time zones, such as the first data. @throws StartError if it can't be used. */
export async function prepareInstalledTimezones(
  folder: string,
  { stored, checked }: Installed,
  say: (line: string) => void,
): Promise<void> {
  const known = knownFiles(checked);
  const withPlaces = Object.entries(known).filter(([, kinds]) => kinds.includes("places"));
  const tables = await Promise.all(withPlaces.map(([sha256]) => readTable(timezonesFolder(folder), sha256)));
  if (!tables.includes(null)) return;
  const { openFiles } = await import("@geolookup/geo/databases/open-files.ts");
  const options = { known, timezonesFolder: timezonesFolder(folder) };
  await prepareTimezones(await openFiles(versionPaths(folder, stored), options), folder, say);
}
