import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_DATABASE_FILES } from "@geolookup/geo/default-databases.ts";
import { installFile } from "./install-file.ts";

const FILE = "sources.json";

/** Where a part of the geo data came from. */
export interface Source {
  package: string;
  version: string;
  integrity: string;
  licence: string;
  attribution: string;
  attributionUrl: string;
  /** RFC 3339, UTC. */
  fetchedAt: string;
  /** The databases made of it. */
  files: readonly string[];
}

/** What was installed before; null unless all of it is there. It is written last, so it vouches for the rest. */
export function readSources(folder: string): Source[] | null {
  if (!DEFAULT_DATABASE_FILES.every((file) => existsSync(join(folder, file)))) return null;
  try {
    const { sources } = JSON.parse(readFileSync(join(folder, FILE), "utf8")) as { sources: Source[] };
    return Array.isArray(sources) ? sources : null;
  } catch {
    return null;
  }
}

/** Writes the record of what was installed. */
export async function writeSources(folder: string, temporaryFolder: string, sources: readonly Source[]): Promise<void> {
  const temporary = join(temporaryFolder, FILE);
  await writeFile(temporary, `${JSON.stringify({ sources }, null, 2)}\n`);
  await installFile(temporary, join(folder, FILE));
}
