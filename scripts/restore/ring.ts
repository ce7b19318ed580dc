import { readFile } from "node:fs/promises";
import { newEntriesOf, withEntriesOf } from "@geolookup/auth/signing/ring-changes.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readSmallFile } from "../backup/archive-file.ts";

const MAX_RING_BYTES = 1024 * 1024;

/** A planned change of a ring file. */
export interface RingChange {
  /** The ids of entries that the ring file lacks. */
  added: string[];
  /** For the operator. */
  summary: string;
  apply(): Promise<void>;
}

/**
 * Plans how to add the entries of a saved ring to auth's ring file. Existing entries stay, so that the keys of both
 * are known, and so does the active one.
 * @throws StartError if that isn't possible; nothing is changed.
 */
export async function planRing(saved: string, ringFile: string): Promise<RingChange> {
  const present = await readPresent(ringFile);
  try {
    const text = (await readSmallFile(saved, MAX_RING_BYTES)).toString("utf8");
    const added = newEntriesOf(present, text);
    if (present === null)
      return {
        added,
        summary: `the signing keys were written to ${ringFile}`,
        apply: () => replaceFile(ringFile, text),
      };
    const merged = withEntriesOf(present, text);
    if (added.length === 0)
      return { added, summary: "the ring file already has all signing keys", apply: async () => undefined };
    const entries = added.length === 1 ? "1 signing key was" : `${added.length} signing keys were`;
    return { added, summary: `${entries} added to ${ringFile}`, apply: () => replaceFile(ringFile, merged) };
  } catch (error) {
    throw new StartError(`the signing keys can't be restored to ${ringFile}: ${(error as Error).message}`);
  }
}

async function readPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`the signing keys ${path} can't be read: ${(error as Error).message}`);
  }
}
