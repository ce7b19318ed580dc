import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { geoDataFolder } from "../databases/installed-databases.ts";

/** Where the operator's geofeeds are. */
export interface GeofeedPaths {
  /** Files, and folders of them, in order of priority. */
  readonly named: readonly string[];
  /** Folders that need not exist; they come after the named ones. */
  readonly optional: readonly string[];
  /** The folder of downloaded feeds, which come last. */
  readonly downloaded?: string;
}

/** A feed's file. */
export interface FeedFile {
  path: string;
  /** Whether the setting names the file itself. Then it is an error if it can't be used at startup. */
  isNamed: boolean;
}

const MAX_FILES = 100;

/**
 * The files in GEOFEED_FILE, or else those in a folder of DATA_DIR; and those that were downloaded.
 * @param dataFolder where the geo data is.
 */
export function chooseGeofeeds(
  named: readonly string[] | undefined,
  dataDir: string,
  dataFolder = geoDataFolder(dataDir),
): GeofeedPaths {
  const downloaded = downloadedIn(dataFolder);
  return named ? { named, optional: [], downloaded } : { named: [], optional: [join(dataDir, "geofeeds")], downloaded };
}

/** Whether there may be feeds that were downloaded. The process that downloads removes those that are no longer set. */
export function hasDownloads(dataDir: string): boolean {
  return existsSync(downloadedIn(geoDataFolder(dataDir)));
}

/** The folder of the feeds that were downloaded, beside the databases, which geo nodes can read. */
export function downloadedIn(dataFolder: string): string {
  return join(dataFolder, "geofeeds");
}

/**
 * Lists the feeds' files in order of priority: the paths in their order, and the `.csv` files of a folder by name.
 * Hidden files are left out, so a file can be written beside the others under such a name first.
 * @returns also what keeps a folder from being listed, or files from being used: one line for an operator each.
 */
export async function listFeeds({
  named,
  optional,
  downloaded,
}: GeofeedPaths): Promise<{ files: FeedFile[]; problems: string[] }> {
  const files = new Map<string, FeedFile>();
  const problems: string[] = [];
  const add = (path: string, isNamed: boolean) => files.has(path) || files.set(path, { path, isNamed });
  for (const [index, path] of [...named, ...optional, ...(downloaded ? [downloaded] : [])].entries()) {
    const isNamed = index < named.length;
    try {
      const names = (await readdir(path)).filter((name) => /^[^.].*\.csv$/i.test(name)).sort();
      for (const name of names) add(join(path, name), false);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // A path that doesn't exist can become a file or a folder later.
      if (isNamed && (code === "ENOTDIR" || code === "ENOENT")) add(path, true);
      else if (code !== "ENOENT") problems.push(`the geofeed folder ${path} cannot be read: ${message}`);
    }
  }
  const all = [...files.values()];
  if (all.length > MAX_FILES)
    problems.push(`there are ${all.length} geofeeds, and only the first ${MAX_FILES} are used`);
  return { files: all.slice(0, MAX_FILES), problems };
}
