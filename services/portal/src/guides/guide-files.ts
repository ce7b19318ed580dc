import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDERS = ["docs", "docs/decisions"];
const OTHERS: readonly GuideFile[] = [
  { file: "CHANGELOG.md", path: "/changelog" },
  { file: "packages/server/README.md", path: "/guides/server-package" },
];

/** What the docs site shows in place of a folder. */
const FOLDER_PAGES: Readonly<Record<string, string>> = { "packages/server/examples": "/quick-start#request" };

/** A Markdown file of the repository and the path of its page. */
export interface GuideFile {
  /** Relative to the repository, such as `docs/compose.md`. */
  file: string;
  /** Such as `/guides/compose`. */
  path: string;
}

/** Every Markdown file that has a page: those in docs/, the changelog, and the README of the package for back ends. */
export function findGuideFiles(): GuideFile[] {
  const guides = FOLDERS.flatMap((folder) =>
    listFolder(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => ({ file: `${folder}/${name}`, path: guidePath(`${folder}/${name}`) })),
  );
  return [...guides, ...OTHERS];
}

/**
 * Resolves a link in a guide.
 * @param target as in Markdown, such as `../CHANGELOG.md#anchor`.
 * @returns the path of the page; null if the file has no page.
 */
export function resolveGuideLink(guides: readonly GuideFile[], from: string, target: string): string | null {
  const [path = "", anchor] = target.split("#", 2);
  const file = posix.join(posix.dirname(from), path);
  const found = file === "README.md" ? "/" : (FOLDER_PAGES[file] ?? guides.find((guide) => guide.file === file)?.path);
  if (found === undefined) return null;
  return anchor === undefined ? found : `${found}#${anchor}`;
}

/** @returns a notice if the installation doesn't include the file. */
export function readGuide(file: string): string {
  try {
    return readFileSync(`${REPOSITORY}${file}`, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return `# Not available\n\nThis installation doesn't include \`${file}\`.`;
  }
}

/** `docs/README.md` is `/guides`, and `docs/decisions/README.md` is `/guides/decisions`. */
function guidePath(file: string): string {
  return `/guides${file.replace(/^docs/, "").replace(/(\/README)?\.md$/, "")}`;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(`${REPOSITORY}${folder}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return [];
  }
}
