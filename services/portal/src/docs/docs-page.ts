import { type Html, html } from "../html.ts";
import { type PageOptions, page } from "../page.ts";
import { type Heading, linkHeadings } from "./headings.ts";
import { NAV, type Nav } from "./nav.ts";

/** A page with fewer headings has no list of them. */
const MIN_HEADINGS = 2;

type Entry = Nav[number]["pages"][number];

export interface DocsPageOptions extends Pick<PageOptions, "path" | "scripts"> {
  /** Pages in reading order, for the links at the end. Default: the navigation's. */
  sequence?: readonly Entry[];
  /** The page's own path, if it differs from its entry in the navigation. */
  ownPath?: string;
  /** Whether the page has examples beside the text, instead of its contents. */
  isTwoColumns?: boolean;
}

const READING_ORDER = NAV.flatMap(({ pages }) => pages);

/** A page of the docs: headings with links, the page's contents, search, and links to the previous and the next page. */
export function docsPage(title: string, markup: Html, options: DocsPageOptions = {}): string {
  const { path, scripts = [], sequence = READING_ORDER, ownPath = path, isTwoColumns = false } = options;
  const { content, headings } = linkHeadings(markup);
  const hasContents = !isTwoColumns && headings.length >= MIN_HEADINGS;
  return page(title, html`${content}${neighbors(sequence, ownPath)}`, {
    ...(path === undefined ? {} : { path }),
    corner: hasContents ? html`${DOCS_CORNER}${CONTENTS_BUTTON}` : DOCS_CORNER,
    ...(hasContents ? { aside: contents(headings) } : {}),
    wide: isTwoColumns,
    scripts: [DOCS_SCRIPT, ...scripts],
  });
}

/** The script of every page of the docs. */
export const DOCS_SCRIPT = "/assets/docs.js";

/** The controls in the header of every docs page. Styles hide the search from readers without scripts. */
export const DOCS_CORNER = html`<button type="button" class="search-open" aria-keyshortcuts="/ Control+K"><span>Search</span> <kbd aria-hidden="true">/</kbd></button>
<a class="corner" href="/openapi.json">OpenAPI</a>
`;

const CONTENTS_BUTTON = html`<button type="button" class="contents-open" popovertarget="page-contents">On this page</button>`;

/** Beside the text on wide screens; elsewhere, a button in the header opens it without a script. */
function contents(headings: readonly Heading[]): Html {
  return html`<nav class="contents" id="page-contents" aria-label="On this page" popover>
<p class="group" aria-hidden="true">On this page</p>
<ul>
${headings.map(({ level, id, text }) => html`<li${level === 3 ? html` class="sub"` : ""}><a href="#${id}">${text}</a></li>\n`)}</ul>
</nav>
`;
}

function neighbors(sequence: readonly Entry[], path: string | undefined): Html {
  const at = sequence.findIndex((entry) => entry.path === path);
  if (at < 0) return html``;
  const [previous, next] = [sequence[at - 1], sequence[at + 1]];
  const link = ({ path, label }: Entry, rel: "prev" | "next", name: string) =>
    html`<a rel="${rel}" href="${path}"><span>${name}</span> ${label}</a>\n`;
  return html`
<nav class="neighbors" aria-label="Previous and next page">
${previous ? link(previous, "prev", "Previous") : ""}${next ? link(next, "next", "Next") : ""}</nav>`;
}
