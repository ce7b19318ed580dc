import { createHash } from "node:crypto";
import { join } from "node:path";
import { openRegularFile } from "@geolookup/geo/databases/whole-file.ts";
import { z } from "zod";

const CHUNK_BYTES = 1024 * 1024;

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
  /** The databases made from it, as they were installed; SHA-256 in hexadecimal. */
  files: z.array(z.object({ name: z.string(), sha256: z.string(), buildUnixSeconds: z.number() })),
});

export type Source = z.infer<typeof sourceSchema>;

/** The names of a version's parts, to compare versions by. */
export function partNames(parts: readonly { name: string }[]): string {
  return parts.map(({ name }) => name).join(",");
}

/** The files of a source that are missing, or have changed since they were installed. */
export async function damagedFiles(folder: string, { files }: Source): Promise<string[]> {
  // At the same time: while one is hashed, others are read.
  const hashes = await Promise.all(files.map(({ name }) => sha256Of(join(folder, name)).catch(() => "")));
  return files.filter(({ sha256 }, index) => hashes[index] !== sha256).map(({ name }) => name);
}

/** The hash of a file, in hexadecimal. @throws if it can't be read. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { file } = await openRegularFile(path);
  try {
    // One chunk for all of it: a stream allocates a new one every 64 kB.
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
