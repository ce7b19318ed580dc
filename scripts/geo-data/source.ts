import { createHash } from "node:crypto";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openDatabase } from "@geolookup/geo/databases/database.ts";
import { openRegularFile } from "@geolookup/geo/databases/whole-file.ts";
import { attributionOf } from "@geolookup/geo/lookup/attribution.ts";
import { z } from "zod";
import type { Part, Published } from "./part.ts";

/** Where a part of the geo data came from, as recorded beside it. */
export const sourceSchema = z.object({
  /** The npm package, or MaxMind's edition. */
  name: z.string(),
  version: z.string(),
  /** The hash that the publisher states, with its kind. */
  integrity: z.string(),
  // Spelled as in the files of version 0.1. cspell:ignore licence
  licence: z.string(),
  attribution: z.string(),
  attributionUrl: z.string(),
  /** RFC 3339, UTC. */
  fetchedAt: z.string(),
  /** The publisher's, word for word; null when it gave none. */
  lastModified: z.string().nullable(),
  /** The databases made of it, as they were put in place; SHA-256 hexadecimal. */
  files: z.array(z.object({ name: z.string(), sha256: z.string(), buildUnixSeconds: z.number() })),
});

export type Source = z.infer<typeof sourceSchema>;

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
    licence: part.license,
    attribution: attribution?.text ?? "",
    attributionUrl: attribution?.url ?? "",
    fetchedAt: new Date(nowMs).toISOString(),
    lastModified,
    files,
  };
}

/** The files of a source that are gone, or no longer what was put in place. */
export async function damagedFiles(folder: string, { files }: Source): Promise<string[]> {
  const damaged: string[] = [];
  for (const { name, sha256 } of files)
    if ((await sha256Of(join(folder, name)).catch(() => "")) !== sha256) damaged.push(name);
  return damaged;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { file } = await openRegularFile(path);
  await pipeline(file.createReadStream(), hash);
  return hash.digest("hex");
}
