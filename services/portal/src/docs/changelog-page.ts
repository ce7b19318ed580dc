import { readFileSync } from "node:fs";
import { page } from "../page.ts";
import { renderMarkdown } from "./markdown.ts";

const CHANGELOG = new URL("../../../../CHANGELOG.md", import.meta.url);

/** What has changed, from CHANGELOG.md; it is read once. */
export function changelogPage(): string {
  rendered ??= page("Changelog", renderMarkdown(readChangelog()), { path: "/changelog" });
  return rendered;
}

let rendered: string | undefined;

function readChangelog(): string {
  try {
    return readFileSync(CHANGELOG, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "# Changelog\n\nCHANGELOG.md did not come with this installation.";
  }
}
