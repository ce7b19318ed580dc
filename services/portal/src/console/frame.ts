import type { Response } from "express";
import type { Nav } from "../docs/nav.ts";
import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import { type ConsoleContext, findSession } from "./context.ts";
import { csrfTokenField } from "./csrf.ts";

/** The keys, as shortcuts.js reads them. */
const SHORTCUTS = [
  { keys: ["g", "o"], does: "Overview" },
  { keys: ["g", "k"], does: "Keys" },
  { keys: ["g", "i"], does: "Issue a key" },
  { keys: ["g", "a"], does: "Look up an address" },
  { keys: ["g", "c"], does: "Cluster" },
  { keys: ["g", "d"], does: "Data" },
  { keys: ["/"], does: "Search keys (on the Keys page)" },
  { keys: ["←", "→"], does: "Move between the bars of a focused chart" },
  { keys: ["?"], does: "Show or hide these shortcuts" },
] as const;

/** The list of shortcuts, and the button that opens it. Both need the script and are hidden without it. */
const SHORTCUTS_HELP = html`<button type="button" data-shortcuts hidden>Keyboard shortcuts</button>
<dialog class="shortcuts" aria-labelledby="shortcuts"><h2 id="shortcuts">Keyboard shortcuts</h2>
<dl>
${SHORTCUTS.map(({ keys, does }) => html`<div><dt>${keys.map((key, index) => html`${index === 0 ? "" : " "}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>\n`)}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>`;

const NAV: Nav = [
  {
    title: "Console",
    pages: [
      { path: "/console", label: "Overview" },
      { path: "/console/keys", label: "Keys" },
      { path: "/console/keys/new", label: "Issue a key" },
      { path: "/console/plans", label: "Plans" },
      { path: "/console/address", label: "Look up an address" },
      { path: "/console/cluster", label: "Cluster" },
      { path: "/console/data", label: "Data" },
    ],
  },
  {
    title: "Docs",
    pages: [
      { path: "/console/guides", label: "Guides for operators" },
      { path: "/", label: "Docs site" },
    ],
  },
];
const NAV_SIGNED_OUT: Nav = [{ title: "Docs", pages: [{ path: "/", label: "Docs site" }] }];

/** Sends a page of the console in its frame, with a sign-out button for operators who are signed in. */
export function sendPage(
  res: Response,
  { sessions, deployment }: Pick<ConsoleContext, "sessions" | "deployment">,
  title: string,
  content: Html,
  options: { status?: number; path?: string; scripts?: readonly string[]; styles?: readonly string[] } = {},
): void {
  const { status = 200, path = "", scripts = [], styles = [] } = options;
  const session = findSession(res);
  const { apiUrl, docsUrl } = deployment();
  const url = apiUrl ?? docsUrl;
  const text = page(title, session ? html`${content}\n${SHORTCUTS_HELP}` : content, {
    path,
    scripts: [
      "/console/assets/console.js",
      "/console/assets/chart.js",
      "/console/assets/shortcuts.js",
      "/console/assets/live.js",
      ...scripts,
    ],
    styles: ["/console/assets/console.css", ...styles],
    wide: true,
    host: url === null ? null : new URL(url).host,
    nav: session ? NAV : NAV_SIGNED_OUT,
    corner: session ? signOutForm(sessions.csrfToken(session)) : html``,
  });
  res.status(status).type("html").send(text);
}

/** Sends a short notice, such as an error. */
export function sendNotice(
  res: Response,
  context: Pick<ConsoleContext, "sessions" | "deployment">,
  notice: { status: number; title: string; text: string },
): void {
  const { status, title, text } = notice;
  const content = html`<h1>${title}</h1>\n<p>${text}</p>\n<p><a href="/console">Overview</a> · <a href="/console/keys">Keys</a></p>`;
  sendPage(res, context, title, content, { status });
}

/** The button that signs out, for the end of the header. */
export function signOutForm(csrfToken: string): Html {
  return html`<form class="corner sign-out" method="post" action="/console/sign-out">${csrfTokenField(csrfToken)}<button>Sign out</button></form>`;
}
