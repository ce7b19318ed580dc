import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COPIES, IMAGES_FILE, type ImageList, readImageList, updateCopies } from "./image-list.ts";

/**
 * Checks that every image comes from infra/images.env: the Dockerfile and the Compose file refer to its names, and their
 * defaults are copies of its values.
 * @param root the repository.
 * @returns what is wrong, one line each.
 * @throws StartError when infra/images.env is invalid.
 */
export function checkImages(root: string): string[] {
  const images = readImageList(root);
  const problems: string[] = [];
  const used = new Set<string>();
  for (const file of COPIES) {
    const text = readFileSync(join(root, file), "utf8");
    if (updateCopies(text, images) !== text)
      problems.push(`the images in ${file} differ from ${IMAGES_FILE}; run "make update-digests ARGS=--copies"`);
    for (const { line, reference } of file.endsWith("Dockerfile") ? imagesOfDockerfile(text) : imagesOfCompose(text)) {
      const name =
        /^\$\{([A-Z]+_IMAGE)(?::-[^}]*)?\}$/.exec(reference)?.[1] ??
        [...images].find(([, listed]) => listed === reference)?.[0];
      if (name !== undefined && images.has(name)) used.add(name);
      else problems.push(`${file}, line ${line}: ${reference} isn't in ${IMAGES_FILE}`);
    }
  }
  for (const name of images.keys()) if (!used.has(name)) problems.push(`${IMAGES_FILE}: ${name} is unused`);
  return problems;
}

interface Place {
  line: number;
  reference: string;
}

/** The images that stages are built on or copy from, without the file's own stages. */
function imagesOfDockerfile(text: string): Place[] {
  const stages = new Set<string>(["scratch"]);
  const found: Place[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const [, from, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    const [, copied] = /^(?:COPY|ADD|RUN)\s.*?(?:--|[, ])from=([^\s,]+)/i.exec(line) ?? [];
    for (const reference of [from, copied])
      if (reference !== undefined && !stages.has(reference)) found.push({ line: index + 1, reference });
    if (stage !== undefined) stages.add(stage);
  }
  return found;
}

/** Images of others that Compose pulls. Ours, which GEOLOOKUP_IMAGE names or Compose builds, aren't in the list. */
function imagesOfCompose(text: string): Place[] {
  return text.split("\n").flatMap((line, index) => {
    const [, reference] = /^\s*image:\s*(?:&\S+\s+)?["']?([^"'\s]+)/.exec(line) ?? [];
    const isBuilt = reference === undefined || reference.startsWith("*") || reference.startsWith(BUILT);
    return isBuilt ? [] : [{ line: index + 1, reference }];
  });
}

const BUILT = `\${GEOLOOKUP_IMAGE:-`;

/** The names of the images that are pinned by tag only. */
export function unpinned(images: ImageList): string[] {
  return [...images].filter(([, reference]) => !reference.includes("@")).map(([name]) => name);
}
