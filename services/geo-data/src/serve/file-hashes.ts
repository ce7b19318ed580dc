import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { openRegularFile } from "@geolookup/geo/databases/whole-file.ts";
import { signatureOf } from "@geolookup/shared/runtime/files/watch-files.ts";

/** A file's content, as it was when it was hashed. */
export interface HashedFile {
  path: string;
  /** The file's state then. */
  signature: string;
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Hashes files, and remembers the hashes until the files change. */
export function createFileHashes() {
  let known = new Map<string, HashedFile>();
  let used = new Map<string, HashedFile>();
  return {
    /** @returns null if the file is missing or changed during hashing. */
    hash: async (path: string): Promise<HashedFile | null> => {
      const hashed = await hashFile(path, known.get(path)).catch(() => null);
      if (hashed) used.set(path, hashed);
      return hashed;
    },
    /** Drops the hashes of files that weren't requested since the last call. */
    forgetOthers: (): void => {
      known = used;
      used = new Map();
    },
  };
}

async function hashFile(path: string, known: HashedFile | undefined): Promise<HashedFile | null> {
  const { file, stats } = await openRegularFile(path);
  try {
    const signature = signatureOf(stats);
    if (known?.signature === signature) return known;
    const hash = createHash("sha256");
    await pipeline(file.createReadStream({ autoClose: false }), hash);
    if (signatureOf(await file.stat({ bigint: true })) !== signature) return null;
    return { path, signature, size: Number(stats.size), sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}
