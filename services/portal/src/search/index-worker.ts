import { parentPort, workerData } from "node:worker_threads";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../docs/assets/search-options.js";
import type { DocsPage } from "../docs/docs-page.ts";
import { KEYWORDS } from "./keywords.ts";
import { sectionsOf } from "./sections.ts";

/** Shown below a result. */
const EXCERPT_CHARACTERS = 140;

const pages = workerData as ReadonlyMap<string, DocsPage>;
const index = new MiniSearch(SEARCH_OPTIONS);
for (const [path, { title, content }] of pages)
  index.addAll(
    sectionsOf(path, title, content.text).map((section, index, all) => ({
      ...section,
      keywords: KEYWORDS.get(section.id) ?? "",
      // A heading that is followed by the next one has no text of its own.
      excerpt: (section.text || all[index + 1]?.text || "").slice(0, EXCERPT_CHARACTERS),
    })),
  );
parentPort?.postMessage(JSON.stringify(index));
