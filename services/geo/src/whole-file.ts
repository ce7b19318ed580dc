import type { BigIntStats } from "node:fs";
import { readFile, stat } from "node:fs/promises";

/** Tells one state of a file from another. */
export function signatureOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/**
 * Reads a file that nobody writes meanwhile.
 * @returns its bytes and the signature that it had before and after; null when it changed while it was read.
 * @throws what `stat` and `readFile` throw.
 */
export async function readWhole(path: string): Promise<{ bytes: Buffer; signature: string } | null> {
  const signature = signatureOf(await stat(path, { bigint: true }));
  const bytes = await readFile(path);
  return signatureOf(await stat(path, { bigint: true })) === signature ? { bytes, signature } : null;
}
