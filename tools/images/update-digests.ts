import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { unpinned } from "./check-images.ts";
import { COPIES, IMAGES_FILE, type ImageList, readImageList, updateCopies } from "./image-list.ts";
import { parseReference, withDigest } from "./reference.ts";
import { fetchDigest } from "./registry-digest.ts";

export interface UpdateOptions {
  /** The repository. */
  root: string;
  /** "registries": pin the tags' current digests; "none": remove the digests; "keep": only update the copies. */
  digests: "registries" | "none" | "keep";
  timeoutMs: number;
  say: (line: string) => void;
}

/**
 * Pins every image to the digest of its tag, in infra/images.env and in the copies. Nothing is written unless every
 * registry responds.
 * @throws StartError naming every image whose digest isn't available.
 */
export async function updateDigests({ root, digests, timeoutMs, say }: UpdateOptions): Promise<void> {
  const images = readImageList(root);
  const updated = digests === "keep" ? images : await pin(images, digests, timeoutMs);
  for (const [name, reference] of updated)
    if (images.get(name) !== reference) say(`${name}: changed from ${images.get(name)} to ${reference}`);
  for (const file of [IMAGES_FILE, ...COPIES]) {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    const next = updateCopies(text, updated);
    if (next === text) continue;
    writeFileSync(path, next);
    say(`wrote ${file}`);
  }
  const open = unpinned(updated);
  if (open.length > 0) say(`pinned by tag only: ${open.join(", ")}`);
}

async function pin(images: ImageList, digests: "registries" | "none", timeoutMs: number): Promise<ImageList> {
  const pinned = new Map<string, string>();
  const failures: string[] = [];
  const updates = [...images].map(async ([name, reference]) => {
    try {
      const digest = digests === "none" ? null : await fetchDigest(parseReference(reference), timeoutMs);
      pinned.set(name, withDigest(reference, digest));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      failures.push(`${name}: ${error.message}`);
    }
  });
  await Promise.all(updates);
  if (failures.length > 0) throw new StartError(`nothing was changed:\n${failures.sort().join("\n")}`);
  return pinned;
}
