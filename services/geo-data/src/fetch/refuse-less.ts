import { kindsOf, lostKinds } from "@geolookup/geo/databases/data-kinds.ts";
import type { Database } from "@geolookup/geo/databases/database.ts";
import { knownFiles } from "@geolookup/geo/databases/known-files.ts";
import { type OpenedFile, openFiles } from "@geolookup/geo/databases/open-files.ts";
import { createLocate } from "@geolookup/geo/lookup/locate.ts";
import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Installed } from "../store/installed.ts";
import { versionPaths } from "../store/version-store.ts";
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

const SAMPLE_ADDRESSES = 4_096;
/** If data knows fewer sample addresses than this, the number isn't significant. */
const ENOUGH_TO_COMPARE = 100;
/** A vendor's data doesn't lose 20% of the world from one version to the next. */
const MIN_SHARE = 0.8;

/** How many of the sample addresses are known. */
interface KnownPlaces {
  countries: number;
  networks: number;
}

/** Looks up addresses spread over all of IPv4. @throws StartError if a lookup fails. */
function countKnownPlaces(databases: readonly Database[]): KnownPlaces {
  let failures = 0;
  const locate = createLocate(databases, () => failures++);
  const known: KnownPlaces = { countries: 0, networks: 0 };
  for (let index = 0; index < SAMPLE_ADDRESSES; index++) {
    // Multiplying by an odd number near 2^32 divided by the golden ratio spreads them evenly.
    const { place } = locate.place(formatIpv4(Math.imul(index, 0x9e37_79b1) >>> 0));
    if (place.country !== null) known.countries++;
    if (place.asn !== null) known.networks++;
  }
  if (failures > 0) throw new StartError(`${failures} of ${SAMPLE_ADDRESSES} sample lookups failed in the new data`);
  return known;
}

/** What the new data lacks compared with the old, for the operator; null if it knows about as much. */
function missingPlaces(before: KnownPlaces, after: KnownPlaces): string | null {
  for (const kind of ["countries", "networks"] as const)
    if (before[kind] >= ENOUGH_TO_COMPARE && after[kind] < before[kind] * MIN_SHARE)
      return `the new data knows the ${kind} of ${after[kind]} of ${SAMPLE_ADDRESSES} sample addresses, the data in use of ${before[kind]}`;
  return null;
}
