import { kindsOf, lostKinds } from "@geolookup/geo/databases/data-kinds.ts";
import { knownFiles } from "@geolookup/geo/databases/known-files.ts";
import { type OpenedFile, openFiles } from "@geolookup/geo/databases/open-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Installed } from "../store/installed.ts";
import { versionPaths } from "../store/version-store.ts";
import { countKnownPlaces, missingPlaces } from "./compare-places.ts";
import { RefusedDataError } from "./refused-data-error.ts";

interface Options {
  folder: string;
  say: (line: string) => void;
}

/** Compares all of the new data with all of the data in use. @throws RefusedDataError if it knows far fewer places. */
export async function refuseLess(
  installed: Installed,
  files: readonly OpenedFile[],
  { folder, say }: Options,
): Promise<void> {
  const after = databasesIn(files);
  const before = await openInUse(installed, { folder, say });
  if (before === null) return;
  const lost = lostKinds(kindsOf(before), kindsOf(after));
  const problem =
    lost === null
      ? missingPlaces(countKnownPlaces(before), countKnownPlaces(after))
      : `the new data has no ${lost}, unlike the data in use`;
  if (problem !== null) throw new RefusedDataError(problem);
}

/** The databases in use; null if they are no longer usable, so there is nothing to compare with. */
async function openInUse({ stored, checked }: Installed, { folder, say }: Options) {
  try {
    return databasesIn(await openFiles(versionPaths(folder, stored), { known: knownFiles(checked) }));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`can't compare the new geo data with the data in use: ${error.message}`);
    return null;
  }
}

const databasesIn = (files: readonly OpenedFile[]) => files.map(({ database }) => database);
