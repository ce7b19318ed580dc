import { parentPort, workerData } from "node:worker_threads";
import { diagramPath } from "./diagrams.ts";
import { findGuideFiles, readGuide, resolveGuideLink } from "./guide-files.ts";
import { renderMarkdown } from "./markdown.ts";

const files = findGuideFiles();
const first = files.filter(({ path }) => path === workerData);
for (const { file, path } of new Set([...first, ...files])) {
  const text = readGuide(file);
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "Guide";
  const resolveLink = (target: string) => resolveGuideLink(files, file, target);
  parentPort?.postMessage([path, title, renderMarkdown(text, { resolveLink, findDiagram: diagramPath }).text]);
}
