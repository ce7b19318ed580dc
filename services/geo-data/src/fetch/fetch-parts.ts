import { join } from "node:path";
import { daysOld } from "@geolookup/geo/databases/database-age.ts";
import { knownFiles, recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { openFiles } from "@geolookup/geo/databases/open-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Part, Vendor } from "../sources/part.ts";
import { describeVersion, type Installed } from "../store/installed.ts";
import { type KeptPart, removeExpired, rollOut, type Staged } from "../store/roll-out.ts";
import { partNames, type Source } from "../store/source.ts";
import type { StoredVersion } from "../store/version-store.ts";
import { type Offer, type Refetch, rolledBackParts } from "./decide.ts";
import { refuseLess } from "./refuse-less.ts";
import { removeLeftovers, stagePart } from "./staging.ts";
import { verifyParts } from "./verify-parts.ts";

/** Whether a run kept the data without looking for newer data, found none, or installed it. */
type FetchOutcome = "kept" | "unchanged" | "updated";

/** A run's outcome, and the version in use after it. */
export interface FetchResult {
  outcome: FetchOutcome;
  stored: StoredVersion;
}

export interface FetchOptions {
  /** Where the versions are. */
  folder: string;
  /** The installed version, if it was read already. */
  installed?: Installed | null;
  vendor: Vendor;
  refetch: Refetch;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, as a message for the operator. */
  say: (line: string) => void;
}

/**
 * Downloads what is missing or newer, checks it, and puts it into use.
 * @param installed the version in use, if there is one.
 * @param temporary a locked folder for unfinished downloads.
 * @throws as fetchGeoData().
 */
export async function fetchParts(
  installed: Installed | null,
  temporary: string,
  options: FetchOptions,
): Promise<FetchResult> {
  const { parts } = options.vendor;
  try {
    await removeLeftovers(temporary, parts);
    return await update(installed, temporary, options);
  } finally {
    await removeLeftovers(temporary, parts);
  }
}

async function update(installed: Installed | null, temporary: string, options: FetchOptions): Promise<FetchResult> {
  const { folder, vendor, refetch, say } = options;
  const offers: Offer[] = [];
  for (const part of vendor.parts) {
    const usable = refetch === "force" ? null : usableSource(installed, part);
    // Without --update or --force, only missing or damaged parts are fetched.
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
    sayAge(installed.stored, options);
    await removeExpired(installed, options);
    return { outcome: "unchanged", stored: installed.stored };
  }
  const files = await openFiles(
    parts.flatMap((part) => part.source.files.map(({ name }) => join(part.folder, name))),
    { known: knownFiles(installed?.checked) },
  );
  // The operator chose other editions, which may contain less.
  const isComparable = installed !== null && (vendor.isDefault || isSameChoice(installed, parts));
  const isCompared = refetch === "force" || vendor.isCompared === true;
  if (isComparable && !isCompared && installed.damaged.length === 0)
    await refuseLess(installed, files, { folder, say });
  if (!isCompared) await verifyParts(parts, files, installed, { folder, say, random: Math.random });
  const added = await rollOut(parts, installed, recordChecked(files), temporary, options);
  const effect = installed ? "; running geo nodes switch to it within seconds" : "";
  say(`installed geo data in ${folder}: ${describeVersion(added)}${effect}`);
  sayAge(added, options);
  return { outcome: "updated", stored: added };
}

/** The installed source of a part; null if a file of it is missing or damaged. */
function usableSource(installed: Installed | null, { name }: Part): Source | null {
  const source = installed?.stored.sources.find((candidate) => candidate.name === name);
  return source?.files.some((file) => installed?.damaged.includes(file.name)) ? null : (source ?? null);
}

/** A rollback stays in effect: updates don't reinstall the data that was rolled back. */
function stayRolledBack(
  { stored, damaged, rolledBackFrom }: Installed,
  names: string[],
  { say }: FetchOptions,
): FetchResult {
  const published = `${names.join(", ")}: the published version is the one that was rolled back with ${rolledBackFrom?.version}`;
  if (damaged.length > 0)
    throw new StartError(`${published}, and ${damaged.join(", ")} of the data in use is damaged; --force installs it`);
  say(
    `${published}; the geo data in use stays ${describeVersion(stored)} until there is newer data (--force installs it)`,
  );
  return { outcome: "unchanged", stored };
}

function isSameChoice({ stored }: Installed, parts: readonly Staged[]): boolean {
  return partNames(stored.sources) === partNames(parts.map(({ source }) => source));
}

/** For updates only: after a start, the service reports the age, once the first refresh has ended. */
function sayAge({ sources }: StoredVersion, { refetch, now, say }: FetchOptions): void {
  if (refetch === "no") return;
  const days = daysOld(
    sources.flatMap(({ files }) => files),
    now(),
  );
  if (days !== null)
    say(`the geo data is ${days} days old, and its source has nothing newer: choose another (docs/data.md#sources)`);
}
