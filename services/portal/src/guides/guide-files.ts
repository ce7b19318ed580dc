import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

/** Where the pages of a folder are. Everyone can read those in `docs/site`, and operators who are signed in the others. */
const FOLDERS: Readonly<Record<string, string>> = {
  "docs/site": "",
  docs: "/console/guides",
  "docs/proxies": "/console/guides/proxies",
};

/** For readers of the repository. */
const NOT_SERVED = ["docs/capacity.md", "docs/licenses.md", "docs/performance.md"];

/** Guides for operators, and sections of them, whose customers have another page about the same. */
const FOR_CUSTOMERS: Readonly<Record<string, string>> = {
  "docs/api.md": "/reference",
  "docs/api.md#errors": "/errors",
  "docs/data.md#sources": "/data#if-you-display-this-data",
  "docs/security.md": "/privacy",
};

/** Files that the docs host serves to be copied (`docs/downloads.ts`). */
const CLIENTS = "packages/clients/";

/** A Markdown file of the repository and the path of its page. */
export interface GuideFile {
  /** Relative to the repository, such as `docs/compose.md`. */
  file: string;
  /** Such as `/console/guides/compose`. */
  path: string;
}

/** Every Markdown file that has a page. */
export function findGuideFiles(): GuideFile[] {
  return Object.entries(FOLDERS).flatMap(([folder, root]) =>
    readdirSync(`${REPOSITORY}${folder}`)
      .map((name) => ({ file: `${folder}/${name}`, path: `${root}/${name}`.replace(/(\/README)?\.md$/, "") }))
      .filter(({ file }) => file.endsWith(".md") && !NOT_SERVED.includes(file)),
  );
}

/** Whether everyone can read the page at this path. */
export function isPublic(path: string): boolean {
  return !path.startsWith("/console/");
}

/**
 * Resolves a link in a guide.
 * @param target as in Markdown, such as `keys.md#anchor`.
 * @returns the path of the page; null if the file has no page, or none for readers of this guide.
 */
export function resolveGuideLink(guides: readonly GuideFile[], from: string, target: string): string | null {
  const [path = "", anchor] = target.split("#", 2);
  const file = posix.join(posix.dirname(from), path);
  if (file.startsWith(CLIENTS)) return file.replace("packages", "");
  const found = guides.find((guide) => guide.file === file)?.path;
  if (found === undefined) return null;
  if (from.startsWith("docs/site/") && !isPublic(found))
    return FOR_CUSTOMERS[`${file}#${anchor}`] ?? FOR_CUSTOMERS[file] ?? null;
  return anchor === undefined ? found : `${found}#${anchor}`;
}

/** Asides such as `([why](decisions/network-cache.md))`, which are for readers of the repository. */
const ASIDE = /\s\(\[[^\]]+\]\((?:\.\.\/)?decisions\/[^)]+\)\)/g;

/** The text of a guide. */
export function readGuide(file: string): string {
  return readFileSync(`${REPOSITORY}${file}`, "utf8").replaceAll(ASIDE, "");
}
