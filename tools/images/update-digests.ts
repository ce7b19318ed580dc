import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { unpinned } from "./check-images.ts";
import { COPIES, IMAGES_FILE, type ImageList, readImageList, updateCopies } from "./image-list.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

export interface UpdateOptions {
  /** The repository. */
  root: string;
  /** "registries": pin the tags' current digests; "none": remove the digests; "keep": only update the copies. */
  digests: "registries" | "none" | "keep";
  say: (line: string) => void;
}

/**
 * Pins every image to the digest of its tag, in infra/images.env and in the copies. Nothing is written unless Docker has the digests
 * of all.
 * @throws StartError naming every image whose digest isn't available.
 */
export async function updateDigests({ root, digests, say }: UpdateOptions): Promise<void> {
  const images = readImageList(root);
  const updated = digests === "keep" ? images : await pin(images, digests);
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

async function pin(images: ImageList, digests: "registries" | "none"): Promise<ImageList> {
  const pinned = new Map<string, string>();
  const failures: string[] = [];
  const updates = [...images].map(async ([name, reference]) => {
    const [tagged = ""] = reference.split("@");
    try {
      pinned.set(name, digests === "none" ? tagged : `${tagged}@${await currentDigest(tagged)}`);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      failures.push(`${name}: ${stderr?.trim() || message}`);
    }
  });
  await Promise.all(updates);
  if (failures.length > 0) throw new StartError(`nothing was changed:\n${failures.sort().join("\n")}`);
  return pinned;
}

/** The digest of a tag, for all platforms. */
async function currentDigest(tagged: string): Promise<string> {
  const args = ["buildx", "imagetools", "inspect", tagged, "--format", "{{json .Manifest}}"];
  const { stdout } = await run("docker", args, { timeout: TIMEOUT_MS });
  const { mediaType, digest } = JSON.parse(stdout) as { mediaType: string; digest: string };
  if (!/\.(?:index|manifest\.list)\./.test(mediaType))
    throw new Error(`${tagged} is an image for one platform (${mediaType}); its digest would break the others`);
  return digest;
}
