import { readFile } from "node:fs/promises";
import { newEntriesOf, withEntriesOf } from "@geolookup/auth/signing/ring-changes.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readSmallFile } from "../backup/archive-file.ts";

const MAX_RING_BYTES = 1024 * 1024;

/** A change of a ring file that is worked out, and not made yet. */
export interface RingChange {
  /** The ids of entries that the ring file lacks. */
  added: string[];
  /** For people. */
  says: string;
  make(): Promise<void>;
}

/**
 * Works out how the entries of a saved ring come into auth's ring file. They are added to what is there, so that the
 * keys of both are known; what signs stays.
 * @throws StartError when they cannot, saying why; nothing is changed.
 */
export async function planRing(saved: string, ringFile: string): Promise<RingChange> {
  const present = await readPresent(ringFile);
  try {
    const text = (await readSmallFile(saved, MAX_RING_BYTES)).toString("utf8");
    const added = newEntriesOf(present, text);
    if (present === null)
      return { added, says: `the signing keys were written to ${ringFile}`, make: () => replaceFile(ringFile, text) };
    const merged = withEntriesOf(present, text);
    if (added.length === 0) return { added, says: "all signing keys were already there", make: async () => undefined };
    const entries = added.length === 1 ? "1 signing key was" : `${added.length} signing keys were`;
    return { added, says: `${entries} added to ${ringFile}`, make: () => replaceFile(ringFile, merged) };
  } catch (error) {
    throw new StartError(`the signing keys cannot be restored to ${ringFile}: ${(error as Error).message}`);
  }
}

async function readPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`the signing keys ${path} cannot be read: ${(error as Error).message}`);
  }
}
