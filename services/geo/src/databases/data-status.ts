import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type DatabaseChoice, readCurrent, versionsFolder } from "./installed-databases.ts";
import { type RefreshState, readRefreshState } from "./refresh-state.ts";
import { readWhole } from "./whole-file.ts";

/** In a version's folder, written by `./geolookup data fetch`: where its databases come from. */
const RECORD_FILE = "sources.json";
const MAX_RECORD_BYTES = 1_000_000;
/** geo-data keeps far fewer. */
const MAX_VERSIONS = 100;

const record = z.object({
  installedAt: z.string(),
  sources: z.array(z.object({ name: z.string(), version: z.string() })),
});

/** A version of the data in the folder. */
export interface DataVersion {
  name: string;
  isInUse: boolean;
  /** RFC 3339, UTC; empty if it isn't recorded, as for copies that an older release made of a geo data server's data. */
  installedAt: string;
  /** What was downloaded, such as `GeoLite2-City 20260620`. */
  sources: string[];
}

/** Where the data in use comes from, for operators. */
export interface DataStatus {
  /** Whether the operator names the files. Nothing downloads them, and they have no versions. */
  usesNamedFiles: boolean;
  isRefreshed: boolean;
  /** Oldest first. */
  versions: DataVersion[];
  /** Null if the data isn't refreshed, or the refresh hasn't run yet. */
  refresh: RefreshState | null;
}

/** Reads the state of the data's folder. What can't be read is left out. */
export async function readDataStatus(choice: DatabaseChoice): Promise<DataStatus> {
  if ("files" in choice) return { usesNamedFiles: true, isRefreshed: false, versions: [], refresh: null };
  const { installedIn: folder, isRefreshed = false } = choice;
  const [inUse, refresh] = await Promise.all([
    readCurrent(folder).then(
      ({ current }) => current.version,
      () => null,
    ),
    isRefreshed ? readRefreshState(folder).catch(() => null) : null,
  ]);
  const names = await readdir(versionsFolder(folder)).catch((): string[] => []);
  const numbered = names
    .filter((name) => /^v\d{1,9}$/.test(name))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const versions = await Promise.all(
    numbered
      .slice(-MAX_VERSIONS)
      .map(async (name) => ({ name, isInUse: name === inUse, ...(await readRecord(folder, name)) })),
  );
  return { usesNamedFiles: false, isRefreshed, versions, refresh };
}

async function readRecord(folder: string, version: string): Promise<Pick<DataVersion, "installedAt" | "sources">> {
  try {
    const file = await readWhole(join(versionsFolder(folder), version, RECORD_FILE), MAX_RECORD_BYTES);
    const { installedAt, sources } = record.parse(JSON.parse(String(file?.bytes)));
    return { installedAt, sources: sources.map((source) => `${source.name} ${source.version}`) };
  } catch {
    return { installedAt: "", sources: [] };
  }
}
