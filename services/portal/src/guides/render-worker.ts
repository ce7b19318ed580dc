import { parentPort } from "node:worker_threads";
import { page } from "../page.ts";
import { diagramPath } from "./diagrams.ts";
import { findGuideFiles, readGuide, resolveGuideLink } from "./guide-files.ts";
import { renderMarkdown } from "./markdown.ts";

const SCRIPTS = ["/assets/snippets.js"];

/** The entries for pages that aren't in the navigation. */
const PARENTS: Readonly<Record<string, string>> = {
  "/guides/api": "/",
  "/guides/attacks": "/guides/security",
  "/guides/licenses": "/guides/security",
  "/guides/profiling": "/guides/performance",
};

const guides = findGuideFiles();
parentPort?.postMessage(new Map(guides.map(({ file, path }) => [path, renderPage(file, path)])));

function renderPage(file: string, path: string): string {
  // Brackets around a version in the changelog would show as text, because no link is defined for them.
  const text = readGuide(file).replace(/^## \[(.*?)\](?!\()/gm, "## $1");
  const [, title = "Guide"] = /^# (.+)$/m.exec(text) ?? [];
  const resolveLink = (target: string) => resolveGuideLink(guides, file, target);
  const content = renderMarkdown(text, { resolveLink, findDiagram: diagramPath });
  return page(title.replaceAll("`", ""), content, { path: entryOf(path), wide: true, scripts: SCRIPTS });
}

/** The entry of the navigation that a page belongs to. */
function entryOf(path: string): string {
  if (path.startsWith("/guides/decisions/")) return "/guides/decisions";
  return PARENTS[path] ?? path;
}
