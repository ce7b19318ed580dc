import { join } from "node:path";
import { kindsOf, lostKinds } from "@geolookup/geo/databases/data-kinds.ts";
import type { Database } from "@geolookup/geo/databases/database.ts";
import { daysTooOld } from "@geolookup/geo/databases/database-age.ts";
import { knownFiles, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { type OpenedFile, openFiles } from "@geolookup/geo/databases/reload-installed.ts";
import { OLD_DATA_ADVICE, OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Part, Vendor } from "../sources/part.ts";
import { describeVersion, type Installed, readInstalled } from "../store/installed.ts";
import { recordMissingCheck } from "../store/record-check.ts";
import { type KeptPart, removeExpired, rollOut, type Staged } from "../store/roll-out.ts";
import { partNames, type Source } from "../store/source.ts";
import { type StoredVersion, temporaryFolder, versionPaths } from "../store/version-store.ts";
import { countKnownPlaces, missingPlaces } from "./compare-places.ts";
import { type Offer, type Refetch, reasonToKeep, rolledBackParts } from "./decide.ts";
import { removeLeftovers, stagePart } from "./staging.ts";

export interface FetchOptions {
  /** Where the versions are. */
  folder: string;
  vendor: Vendor;
  refetch: Refetch;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, in words for the operator. */
  say: (line: string) => void;
}

/**
 * Fetches the geo data, unless they are there and whole. All parts are downloaded and made aside, checked
 * as the geo service checks them, and then taken into use together. The version that was in use is kept.
 * @throws StartError with one line for what the operator can fix; disk errors as they are.
 */
export async function fetchGeoData(options: FetchOptions): Promise<void> {
  const { folder, vendor, refetch, say } = options;
  const installed = await readInstalled(folder);
  if (installed && installed.damaged.length > 0)
    say(`${installed.damaged.join(", ")}: missing or damaged (SHA-256 differs from when it was put in place)`);
  const reason = reasonToKeep(installed, vendor, refetch);
  if (reason !== null && installed) {
    say(reason);
    warnOfAge(installed.stored, options);
    if (installed.damaged.length === 0) await recordMissingCheck(folder, installed, say);
    return;
  }
  const temporary = temporaryFolder(folder);
  using _lock = lockFolder(temporary);
  try {
    await removeLeftovers(temporary, vendor.parts);
    await update(installed, temporary, options);
  } finally {
    await removeLeftovers(temporary, vendor.parts);
  }
}

async function update(installed: Installed | null, temporary: string, options: FetchOptions): Promise<void> {
  const { vendor, refetch, say } = options;
  const offers: Offer[] = [];
  for (const part of vendor.parts) {
    const usable = refetch === "force" ? null : usableSource(installed, part);
    // Plainly asked, only what is missing or damaged is fetched.
    offers.push({ part, usable, published: usable && refetch === "no" ? null : await part.find(usable) });
  }
  const rolledBack = refetch === "force" ? [] : rolledBackParts(installed, offers);
  if (installed && rolledBack.length > 0) return stayRolledBack(installed, rolledBack, options);

  const parts: (Staged | KeptPart)[] = [];
  for (const { part, usable, published } of offers) {
    if (published && published.integrity !== usable?.integrity)
      parts.push(await stagePart(part, published, { ...options, temporary, refetch: refetch === "force" }));
    else if (installed && usable) parts.push({ source: usable, folder: installed.folder, kept: true });
  }
  if (installed && parts.every((part) => "kept" in part) && isSameChoice(installed, parts)) {
    say(`geo data is already installed and up to date: ${describeVersion(installed.stored)}`);
    warnOfAge(installed.stored, options);
    await removeExpired(installed, options);
    return;
  }
  const files = await openFiles(
    parts.flatMap((part) => part.source.files.map(({ name }) => join(part.folder, name))),
    { known: knownFiles(installed?.checked) },
  );
  // Other editions may well know less: their operator chose them.
  const isComparable = installed !== null && (vendor.isDefault || isSameChoice(installed, parts));
  if (isComparable && refetch !== "force" && installed.damaged.length === 0)
    await refuseLess(installed, databasesIn(files), options);
  const added = await rollOut(parts, installed, recordChecked(files), temporary, options);
  say(
    `installed geo data in ${options.folder}: ${describeVersion(added)}; running geo nodes switch to it within seconds`,
  );
  warnOfAge(added, options);
}

/** What is installed of a part, if all of it is whole. */
function usableSource(installed: Installed | null, { name }: Part): Source | null {
  const source = installed?.stored.sources.find((candidate) => candidate.name === name);
  return source?.files.some((file) => installed?.damaged.includes(file.name)) ? null : (source ?? null);
}

/** An operator's rollback outlives updates that would bring back what was rolled back. */
function stayRolledBack({ stored, damaged, rolledBackFrom }: Installed, names: string[], { say }: FetchOptions): void {
  const published = `${names.join(", ")}: the published version is the one that was rolled back with ${rolledBackFrom?.version}`;
  if (damaged.length > 0)
    throw new StartError(`${published}, and ${damaged.join(", ")} of the data in use is damaged; --force installs it`);
  say(
    `${published}; the geo data in use stays ${describeVersion(stored)} until there is newer data (--force installs it)`,
  );
}

function isSameChoice({ stored }: Installed, parts: readonly Staged[]): boolean {
  return partNames(stored.sources) === partNames(parts.map(({ source }) => source));
}

async function refuseLess(
  installed: Installed,
  after: readonly Database[],
  { folder, say }: FetchOptions,
): Promise<void> {
  const before = await openInUse(folder, installed, say);
  if (before === null) return;
  const lost = lostKinds(kindsOf(before), kindsOf(after));
  const problem =
    lost === null
      ? missingPlaces(countKnownPlaces(before), countKnownPlaces(after))
      : `the new data has no ${lost}, unlike the data in use`;
  if (problem !== null)
    throw new StartError(`${problem}; it wasn't installed (--force installs it), and the old data stays in use`);
}

/** The databases in use; null if they can't be used anymore, so there is nothing to compare with. */
async function openInUse(
  folder: string,
  { stored, checked }: Installed,
  say: FetchOptions["say"],
): Promise<Database[] | null> {
  try {
    return databasesIn(await openFiles(versionPaths(folder, stored), { known: knownFiles(checked) }));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`can't compare the new geo data with the data in use: ${error.message}`);
    return null;
  }
}

const databasesIn = (files: readonly OpenedFile[]) => files.map(({ database }) => database);

function warnOfAge({ sources }: StoredVersion, { now, say }: FetchOptions): void {
  for (const { name, buildUnixSeconds } of sources.flatMap(({ files }) => files)) {
    const days = daysTooOld(buildUnixSeconds, now());
    if (days !== null) say(`${name} was built ${days} days ago, more than ${OLD_DATA_DAYS}: ${OLD_DATA_ADVICE}`);
  }
}
