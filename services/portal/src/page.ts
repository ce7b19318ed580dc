import { NAV, type Nav } from "./docs/nav.ts";
import { type Html, html } from "./html.ts";
import { ICON, MARK } from "./mark.ts";

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
<title>${title} · ${host === null ? "" : html`${host} · `}geolookup</title>
${ICON}<link rel="preload" href="/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
${["/style.css", ...styles].map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${scripts.map(
  (src) => html`<script type="module" src="${src}"></script>\n`,
)}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site">
<a class="brand" href="/">${MARK}<span>geolookup</span></a>${host === null ? "" : html`<span class="host">${host}</span>`}
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
<p>Powered by geolookup. <a href="/privacy">IP addresses are never stored</a>. <a href="/data">Data sources</a>.</p>
</footer>
</body>
</html>
`.text;
}

const CURRENT = html` aria-current="page"`;
