import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { installFile } from "./install-file.ts";

const FILE = "sources.json";

const recorded = z.object({
  sources: z.array(
    z.object({
      package: z.string(),
      version: z.string(),
      integrity: z.string(),
      licence: z.string(),
      attribution: z.string(),
      attributionUrl: z.string(),
      /** RFC 3339, UTC. */
      fetchedAt: z.string(),
      /** The databases made of it, as they were put in place; SHA-256 hexadecimal. */
      files: z.array(z.object({ name: z.string(), sha256: z.string() })),
    }),
  ),
});

/** Where a part of the geo data came from. */
export type Source = z.infer<typeof recorded>["sources"][number];

/** What is recorded as installed; nothing when there is no record that can be read. */
export async function readSources(folder: string): Promise<Source[]> {
  try {
    return recorded.parse(JSON.parse(await readFile(join(folder, FILE), "utf8"))).sources;
  } catch {
    return [];
  }
}

/** The files of a source that are gone, or no longer what was put in place. */
export async function damagedFiles(folder: string, { files }: Source): Promise<string[]> {
  const damaged: string[] = [];
  for (const { name, sha256 } of files)
    if ((await sha256Of(join(folder, name)).catch(() => "")) !== sha256) damaged.push(name);
  return damaged;
}

/** The SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Writes the record of what was installed. */
export async function writeSources(folder: string, temporaryFolder: string, sources: readonly Source[]): Promise<void> {
  const temporary = join(temporaryFolder, FILE);
  await writeFile(temporary, `${JSON.stringify({ sources }, null, 2)}\n`);
  await installFile(temporary, join(folder, FILE));
}
