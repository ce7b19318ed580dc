import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Enough for the counts of 20,000 keys. */
const RESERVE_BYTES = 1 << 20;

/**
 * Space on the disk for the counts that a gateway has only in memory when it stops while the disk is full. Disposing of it
 * gives the space back.
 */
export interface JournalReserve extends Disposable {
  /** Turns the reserve into a file with these lines. @throws Error if they aren't on the disk then. */
  save(lines: string, path: string): void;
}

/** @throws Error if there is no space for it. */
export function openJournalReserve(folder: string): JournalReserve {
  const reserve = join(folder, "reserve");
  // Random, because some file systems don't allocate space for what they can compress.
  writeFileSync(reserve, randomBytes(RESERVE_BYTES), { mode: 0o600 });
  return {
    save(lines, path) {
      const bytes = Buffer.from(lines, "latin1");
      // Written in place: on a full disk, released space may be gone at once.
      const file = openSync(reserve, "r+");
      try {
        for (let written = 0; written < bytes.length; )
          written += writeSync(file, bytes, written, bytes.length - written, written);
        ftruncateSync(file, bytes.length);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(reserve, path);
    },
    [Symbol.dispose]() {
      try {
        rmSync(reserve, { force: true });
      } catch {
        // The next start overwrites it.
      }
    },
  };
}
