import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { type PageOptions, page } from "../page.ts";
import { type Heading, linkHeadings } from "./headings.ts";
import { NAV, type Nav } from "./nav.ts";

/** A page with fewer headings has no list of them. */
const MIN_HEADINGS = 2;

/** A page of the docs without its frame: also what its Markdown and the search have of it. */
export interface DocsPage extends Pick<PageOptions, "path" | "scripts"> {
  title: string;
  /** With an ID for each heading. */
  content: Html;
  headings: readonly Heading[];
  /** Whether the page has examples beside the text. */
  isTwoColumns?: boolean;
  /** Whether the page uses the whole width and has no list of contents. */
  isLanding?: boolean;
}

/** A page of the docs, with a link at each heading. */
export function docsPage(
  title: string,
  markup: Html,
  options: Pick<DocsPage, "path" | "scripts" | "isTwoColumns" | "isLanding"> = {},
): DocsPage {
  return { title, ...linkHeadings(markup), ...options };
}

/** A page for customers in its frame: the page's contents, search, and links to the previous and the next page. */
export function inDocsFrame(content: DocsPage, { site }: Pick<DeploymentInfo, "site">): string {
  return inFrame(content, { nav: NAV, corner: DOCS_CORNER, site });
}

/** A page in a frame with this navigation. */
export function inFrame(
  { title, content, headings, path, scripts = [], isTwoColumns = false, isLanding = false }: DocsPage,
  { nav, corner, site }: Required<Pick<PageOptions, "nav" | "corner">> & Pick<PageOptions, "site">,
): string {
  const hasContents = !isLanding && headings.length >= MIN_HEADINGS;
  return page(title, html`${content}${neighbors(nav, path)}`, {
    ...(path === undefined ? {} : { path }),
    ...(site === undefined ? {} : { site }),
    nav,
    corner: hasContents ? html`${corner}${CONTENTS_BUTTON}` : corner,
    ...(hasContents ? { aside: contents(headings) } : {}),
    wide: isTwoColumns || isLanding,
    scripts: ["/assets/docs.js", ...scripts],
  });
}

/** The button that opens the search of an index. Styles hide it from readers without scripts. */
export function searchButton(index: string): Html {
  return html`<button type="button" class="search-open" data-index="${index}" aria-keyshortcuts="/ Control+K"><span>Search</span> <kbd aria-hidden="true">/</kbd></button>
`;
}

/** The controls in the header of every page for customers. */
const DOCS_CORNER = html`${searchButton("/search.json")}<a class="corner" href="/openapi.json">OpenAPI</a>
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

function neighbors(nav: Nav, path: string | undefined): Html {
  const sequence = nav.flatMap(({ pages }) => pages);
  const at = sequence.findIndex((entry) => entry.path === path);
  if (at < 0) return html``;
  const [previous, next] = [sequence[at - 1], sequence[at + 1]];
  const link = ({ path, label }: (typeof sequence)[number], rel: "prev" | "next", name: string) =>
    html`<a rel="${rel}" href="${path}"><span>${name}</span> ${label}</a>\n`;
  return html`
<nav class="neighbors" aria-label="Previous and next page">
${previous ? link(previous, "prev", "Previous") : ""}${next ? link(next, "next", "Next") : ""}</nav>`;
}
