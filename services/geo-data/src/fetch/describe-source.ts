import { join } from "node:path";
import { attributionOf } from "@geolookup/geo/databases/attribution.ts";
import { openDatabase } from "@geolookup/geo/databases/database.ts";
import type { Part, Published } from "../sources/part.ts";
import type { Source } from "../store/source.ts";

/**
 * Describes a fetched part, and checks its databases as the geo service does.
 * @param folder where its files are.
 * @throws StartError naming the first database that cannot be used.
 */
export async function describeSource(
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
