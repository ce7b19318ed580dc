import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { checkedFiles, distrustUnless } from "./known-files.ts";
import { readWhole } from "./whole-file.ts";

/**
 * Which databases to use: files that the operator names, with a file that remembers their kinds of data; or what
 * `./geolookup data fetch` installed in a folder, and whether a process beside this one refreshes it.
 */
export type DatabaseChoice =
  | { readonly files: readonly string[]; readonly kindsFile?: string }
  | { readonly installedIn: string; readonly isRefreshed?: boolean };

/** The file that names the version in use. Replacing it is what rolls a version out, or back. */
export const CURRENT_FILE = "current.json";

/** Remembers which kinds of data the files in GEO_DATABASES had. */
const KINDS_FILE = "kinds.json";
const MAX_CURRENT_BYTES = 1_000_000;

/** `v1`, `v2`, …: each is the next number, whatever the clock says. */
const VERSION = /^v[1-9]\d{0,8}$/;

const current = z.object({
  version: z.string().regex(VERSION),
  /** Names of files in the version's folder; the first one wins. */
  databases: z.array(z.string().regex(/^[\w-][\w.-]*\.mmdb$/)).min(1),
  /** The version that an operator rolled back from. Its data isn't installed again automatically. */
  rolledBackFrom: z.string().regex(VERSION).optional(),
  /** The result of checking its files when they were installed; version 0.1 recorded nothing. */
  checked: checkedFiles.optional().catch(undefined),
});

/** What is in use. */
export type Current = z.infer<typeof current>;

/** The folder of the geo data in a data folder. */
export function geoDataFolder(dataDir: string): string {
  return join(dataDir, "geo");
}

/** The databases that a service is to use: the files in GEO_DATABASES, else what is installed in its data folder. */
export function chooseDatabases(
  files: readonly string[] | undefined,
  dataDir: string,
  isRefreshed: boolean,
): DatabaseChoice {
  const folder = geoDataFolder(dataDir);
  return files ? { files, kindsFile: join(folder, KINDS_FILE) } : { installedIn: folder, isRefreshed };
}

/** The folder that holds every version. */
export function versionsFolder(folder: string): string {
  return join(folder, "versions");
}

/** Paths of the databases in use, in priority order. */
export function pathsOf(folder: string, { version, databases }: Current): string[] {
  return databases.map((name) => join(versionsFolder(folder), version, name));
}

/**
 * Reads what is in use.
 * @returns it with the state of the file that says so.
 * @throws StartError with one line that names the file and says what to do.
 */
export async function readCurrent(folder: string): Promise<{ current: Current; signature: string }> {
  const path = join(folder, CURRENT_FILE);
  const file = await readWhole(path, MAX_CURRENT_BYTES).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      error.code === "ENOENT"
        ? `there is no geo data in ${folder}; run "./geolookup data fetch" or set GEO_DATABASES to the files you have`
        : `${path} cannot be read: ${error.message}`,
    );
  });
  try {
    if (file === null) throw new Error("it changed while it was read");
    const read = current.parse(JSON.parse(String(file.bytes)));
    return { current: { ...read, checked: distrustUnless(file.isOurs, read.checked) }, signature: file.signature };
  } catch {
    throw new StartError(
      `${path} does not name a version of the geo data; run "./geolookup data versions" to see which there are, and choose one with "--to", or "./geolookup data fetch --force" to fetch them again`,
    );
  }
}
