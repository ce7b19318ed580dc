import type { Response } from "express";
import type { Nav } from "../docs/nav.ts";
import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import { type ConsoleContext, findSession } from "./context.ts";
import { csrfTokenField } from "./csrf.ts";
import { SHORTCUTS_HELP } from "./shortcuts.ts";

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
  { title: "Docs", pages: [{ path: "/", label: "Docs site" }] },
];
const NAV_SIGNED_OUT: Nav = NAV.slice(1);

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

function signOutForm(csrfToken: string): Html {
  return html`<form class="corner sign-out" method="post" action="/console/sign-out">${csrfTokenField(csrfToken)}<button>Sign out</button></form>`;
}
