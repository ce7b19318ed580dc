import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attributionOf } from "@geolookup/geo/databases/attribution.ts";
import { openDatabase, UnusableFileError } from "@geolookup/geo/databases/database.ts";
import type { Part, Published } from "../sources/part.ts";
import type { Staged } from "../store/roll-out.ts";
import { damagedFiles, type Source, sourceSchema } from "../store/source.ts";
import { UnusablePartError } from "./refused-data-error.ts";

const RECORD_FILE = "source.json";

/**
 * Downloads and checks a part, unless an interrupted run has left it: downloads are large, and vendors limit them.
 * @throws UnusablePartError if it isn't usable; StartError if it isn't available.
 */
export async function stagePart(
  part: Part,
  published: Published,
  options: { temporary: string; refetch: boolean; now: () => number; say: (line: string) => void },
): Promise<Staged> {
  const { temporary, now, say } = options;
  const folder = join(temporary, stagedName(part));
  if (!options.refetch) {
    const source = await readStaged(folder, published);
    if (source !== null) {
      say(`${part.name} ${published.version} was already downloaded`);
      return { source, folder };
    }
  }
  await rm(folder, { recursive: true, force: true });
  const work = join(temporary, "work");
  await rm(work, { recursive: true, force: true });
  await mkdir(work);
  const source = await fetchSource(part, published, work, now()).catch((error) => {
    throw error instanceof UnusableFileError
      ? new UnusablePartError(part.name, published.version, error.problem, error.isLasting)
      : error;
  });
  await writeFile(join(work, RECORD_FILE), JSON.stringify(source));
  await rename(work, folder);
  return { source, folder };
}

async function fetchSource(part: Part, published: Published, folder: string, nowMs: number): Promise<Source> {
  const { lastModified } = await published.fetch(folder);
  return describeSource(part, published, lastModified, folder, nowMs);
}

async function readStaged(folder: string, { integrity }: Published): Promise<Source | null> {
  try {
    const source = sourceSchema.parse(JSON.parse(await readFile(join(folder, RECORD_FILE), "utf8")));
    return source.integrity === integrity && (await damagedFiles(folder, source)).length === 0 ? source : null;
  } catch {
    return null;
  }
}

/** Removes the files of an interrupted run, except the lock file and parts that can still be used. */
export async function removeLeftovers(temporary: string, usefulParts: readonly Part[]): Promise<void> {
  const useful = new Set(["lock", ...usefulParts.map(stagedName)]);
  for (const name of await readdir(temporary))
    if (!useful.has(name)) await rm(join(temporary, name), { recursive: true, force: true });
}

function stagedName({ name }: Part): string {
  return `staged-${name.replaceAll(/[^\w-]/g, "_")}`;
}

/**
 * Describes a fetched part, and checks its databases as the geo service does.
 * @param folder where its files are.
 * @throws StartError naming the first database that cannot be used.
 */
async function describeSource(
  part: Part,
  published: Pick<Published, "version" | "integrity">,
  lastModified: string | null,
  folder: string,
  nowMs: number,
): Promise<Source> {
  const attribution = attributionOf(part.databaseType, part.files[0] ?? "");
  const files: Source["files"] = [];
  for (const name of part.files) {
    const path = join(folder, name);
    const { database, sha256 } = await openDatabase(path);
    files.push({ name, sha256, buildUnixSeconds: database.info.buildUnixSeconds });
  }
  return {
    name: part.name,
    version: published.version,
    integrity: published.integrity,
    // Spelled as in the files of version 0.1. cspell:ignore licence
    licence: part.license,
    attribution: attribution?.text ?? "",
    attributionUrl: attribution?.url ?? "",
    fetchedAt: new Date(nowMs).toISOString(),
    lastModified,
    files,
  };
}
