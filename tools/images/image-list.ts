import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** The list of images. */
export const IMAGES_FILE = "infra/images.env";

/** Files with copies of the list: `NAME=reference` after ARG, `${NAME:-reference}`, or `image: reference`. */
export const COPIES: readonly string[] = ["infra/Dockerfile", "docker-compose.yml", "infra/compose/site.yml"];

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Image references by name. */
export type ImageList = ReadonlyMap<string, string>;

/**
 * Reads infra/images.env.
 * @param root the repository.
 * @throws StartError naming the first line that isn't `NAME_IMAGE=repository:tag`.
 */
export function readImageList(root: string): ImageList {
  const images = new Map<string, string>();
  for (const [index, line] of readFileSync(join(root, IMAGES_FILE), "utf8").split("\n").entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const place = `${IMAGES_FILE}, line ${index + 1}`;
    const [, name, reference = ""] = /^([A-Z]+_IMAGE)=(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new StartError(`${place}: must be NAME_IMAGE=repository:tag`);
    if (images.has(name)) throw new StartError(`${place}: ${name} is listed twice`);
    const problem = problemOf(reference);
    if (problem !== null) throw new StartError(`${place}: ${JSON.stringify(reference)} ${problem}`);
    images.set(name, reference);
  }
  return images;
}

/** What is wrong with a reference. A tag is required, and `latest` is refused: its content changes. */
function problemOf(reference: string): string | null {
  const [tagged = "", ...digests] = reference.split("@");
  if (digests.length > 1 || digests.some((digest) => !DIGEST.test(digest)))
    return "has an invalid digest; it must be sha256: and 64 hexadecimal digits";
  const [, tag] = /:([^/:]+)$/.exec(tagged) ?? [];
  if (tag === undefined) return "has no tag; add the version to use";
  return tag === "latest" ? "has the tag latest; name a version" : null;
}

/** Replaces a text's copies of image references with those of the list. */
export function updateCopies(text: string, images: ImageList): string {
  let updated = text;
  for (const [name, reference] of images)
    updated = updated
      .replaceAll(new RegExp(`^(${name}=)\\S+$`, "gm"), `$1${reference}`)
      .replaceAll(new RegExp(`^(ARG ${name}=)\\S+$`, "gm"), `$1${reference}`)
      .replaceAll(new RegExp(`(\\$\\{${name}:-)[^}]+(\\})`, "g"), `$1${reference}$2`)
      .replaceAll(/^( *image: )(\S+)$/gm, (line, start, copy) =>
        repositoryOf(copy) === repositoryOf(reference) ? `${start}${reference}` : line,
      );
  return updated;
}

function repositoryOf(reference: string): string {
  return reference.replace(/(:[^:/@]*)?(@.*)?$/, "");
}
