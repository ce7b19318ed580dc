import { readFile } from "node:fs/promises";
import { withEntriesOf } from "@geolookup/auth/ring-changes.ts";
import { parseRing } from "@geolookup/auth/signing-ring.ts";
import { replaceFile } from "@geolookup/shared/runtime/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";

/** A change of a ring file that is worked out, and not made yet. */
export interface RingChange {
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
  const text = await readFile(saved, "utf8");
  const present = await readPresent(ringFile);
  try {
    parseRing(text);
    if (present === null)
      return { says: `the signing keys were put to ${ringFile}`, make: () => replaceFile(ringFile, text) };
    const merged = withEntriesOf(present, text);
    if (merged.added === 0) return { says: "the signing keys were all there", make: async () => undefined };
    const entries = merged.added === 1 ? "1 signing key was" : `${merged.added} signing keys were`;
    return { says: `${entries} added to ${ringFile}`, make: () => replaceFile(ringFile, merged.text) };
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
