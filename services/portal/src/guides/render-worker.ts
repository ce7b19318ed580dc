import { parentPort, workerData } from "node:worker_threads";
import { docsPage } from "../docs/docs-page.ts";
import { OWN_KEY_SCRIPT } from "../docs/own-key.ts";
import { diagramPath } from "./diagrams.ts";
import { findGuideFiles, readGuide, resolveGuideLink } from "./guide-files.ts";
import { renderMarkdown } from "./markdown.ts";

const SCRIPTS = ["/assets/snippets.js"];
const DECISIONS = "/guides/decisions";

/** The entries for pages that aren't in the navigation. */
const PARENTS: Readonly<Record<string, string>> = {
  "/guides/api": "/",
  "/guides/licenses": "/guides/security",
  "/guides/server-package": "/guides/back-end",
};

const files = findGuideFiles();
const guides = files.map(({ file, path }) => {
  // Brackets around a version in the changelog would show as text, because no link is defined for them.
  const text = readGuide(file).replace(/^## \[(.*?)\](?!\()/gm, "## $1");
  const label = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "Guide";
  return { file, path, text, label };
});
const decisions = guides.filter(({ path }) => isDecision(path));
const first = guides.filter(({ path }) => path === workerData);
for (const guide of new Set([...first, ...guides])) parentPort?.postMessage([guide.path, renderGuide(guide)]);

function renderGuide({ file, path, text, label }: (typeof guides)[number]): string {
  const resolveLink = (target: string) => resolveGuideLink(files, file, target);
  const content = renderMarkdown(text, { resolveLink, findDiagram: diagramPath });
  return docsPage(label, content, {
    path: isDecision(path) ? DECISIONS : (PARENTS[path] ?? path),
    ownPath: path,
    ...(isDecision(path) ? { sequence: decisions } : {}),
    scripts: content.text.includes('class="own-key') ? [...SCRIPTS, OWN_KEY_SCRIPT] : SCRIPTS,
  });
}

function isDecision(path: string): boolean {
  return path.startsWith(`${DECISIONS}/`);
}
