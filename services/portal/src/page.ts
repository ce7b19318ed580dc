import { hasAccount, type SiteInfo } from "./deployment/deployment-info.ts";
import { NAV, type Nav } from "./docs/nav.ts";
import { type Html, html } from "./html.ts";

/** A pin on a tile. Its few large shapes stay recognizable at 16 px. */
const TILE = "M6 0h12a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6Z";
const PIN = "M12 3.5a6.75 6.75 0 0 0-6.75 6.75C5.25 15.2 12 21 12 21s6.75-5.8 6.75-10.75A6.75 6.75 0 0 0 12 3.5Z";
const HOLE = { x: 12, y: 10.25, radius: 2.6 };

/** In the header, in the colors of the theme. */
const MARK = html`<svg class="mark-tile" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path class="tile" d="${TILE}"/><path class="pin-shape" d="${PIN}"/><circle class="tile" cx="${HOLE.x}" cy="${HOLE.y}" r="${HOLE.radius}"/></svg>`;

const SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>" +
  `<path fill='#0a6b66' d='${TILE}'/><path fill='#fff' d='${PIN}'/>` +
  `<circle fill='#0a6b66' cx='${HOLE.x}' cy='${HOLE.y}' r='${HOLE.radius}'/></svg>`;

/** The page's icon, inlined so that browsers don't request one. */
const ICON = html`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}">
`;

export interface PageOptions {
  /** The path of the page or its parent, highlighted in the navigation. */
  path?: string;
  /** Paths of the page's scripts, which are all modules. */
  scripts?: readonly string[];
  /** Paths of additional stylesheets. */
  styles?: readonly string[];
  /** Whether lines of text use the full width, too. */
  wide?: boolean;
  /** Replaces the navigation of the docs. */
  nav?: Nav;
  /** Default: the console's. */
  site?: SiteInfo;
  /** The host that the page is about, beside the name in the header and in the title. */
  host?: string | null;
  /** What the header has at its end. */
  corner?: Html;
  /** Beside the content on wide screens. */
  aside?: Html;
}

/** A complete page: the frame that all pages share, around the content of one page. */
export function page(title: string, content: Html, options: PageOptions = {}): string {
  const {
    site = CONSOLE,
    path,
    scripts = [],
    styles = [],
    wide = false,
    nav = NAV,
    corner = html``,
    host = null,
    aside = html``,
  } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${host === null ? "" : html`${host} · `}${site.name}</title>
${ICON}<link rel="preload" href="/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
${["/style.css", ...styles].map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${scripts.map(
  (src) => html`<script type="module" src="${src}"></script>\n`,
)}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site">
<a class="brand" href="/">${MARK}<span>${site.name}</span></a>${host === null ? "" : html`<span class="host hint">${host}</span>`}
${corner}
<button type="button" class="menu" popovertarget="site-nav">Menu</button>
</header>
<nav class="site" id="site-nav" aria-label="Site" popover>
${nav.map(
  ({ title: group, pages }) => html`<p class="group">${group}</p>
<ul>
${pages.map(
  (entry) =>
    html`<li><a href="${entry.path}"${entry.path === path ? CURRENT : ""}>${entry.label}</a></li>
`,
)}</ul>
`,
)}</nav>
<main id="content" class="${wide ? "wide" : "prose"}" tabindex="-1">
${content}
</main>
${aside}<footer class="site">
<p>${footerLinks(site)}</p>
</footer>
</body>
</html>
`.text;
}

const CONSOLE: SiteInfo = { name: "geolookup", contact: null, terms: null, hasConsole: true };

/** What the frame says about the deployment, and the way to the console for its operators. */
function footerLinks(site: SiteInfo): Html {
  const { contact, terms, hasConsole } = site;
  return html`${hasAccount(site) ? html`<a href="/account">Your usage</a> · ` : ""}${contact === null ? "" : html`<a href="${contact}">Contact</a> · `}${terms === null ? "" : html`<a href="${terms}">Terms</a> · `}<a href="/privacy">IP addresses are never stored</a> · <a href="/data">Data sources</a> · Powered by geolookup${hasConsole ? html` · <a href="/console">Console for operators</a>` : ""}`;
}

const CURRENT = html` aria-current="page"`;
