import type { Role } from "@geolookup/shared/domain/operators.ts";
import type { Response } from "express";
import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import { type ConsoleContext, findSession, hasRole, hiddenOf } from "./context.ts";
import type { Session } from "./sessions.ts";

/** The console's pages, each with the key that opens it after `g`. */
const PAGES: readonly { key: string; path: string; label: string; needs?: Role }[] = [
  { key: "o", path: "/console", label: "Overview" },
  { key: "k", path: "/console/keys", label: "Keys" },
  { key: "i", path: "/console/keys/new", label: "Issue a key", needs: "operator" },
  { key: "u", path: "/console/customers", label: "Customers" },
  { key: "p", path: "/console/plans", label: "Plans" },
  { key: "a", path: "/console/address", label: "Look up an address" },
  { key: "c", path: "/console/cluster", label: "Cluster" },
  { key: "d", path: "/console/data", label: "Data" },
  { key: "t", path: "/console/audit", label: "Audit trail", needs: "operator" },
  { key: "r", path: "/console/operators", label: "Operators", needs: "admin" },
];
const DOCS_SITE = { path: "/", label: "Docs site" };
const GUIDES = { path: "/console/guides", label: "Guides for operators" };

/** The list of shortcuts, and the button that opens it. Both need the script and are hidden without it. */
function shortcutsHelp(pages: typeof PAGES): Html {
  return html`<button type="button" class="quiet" data-shortcuts hidden>Keyboard shortcuts</button>
<dialog class="shortcuts" aria-labelledby="shortcuts"><h2 id="shortcuts">Keyboard shortcuts</h2>
<dl>
${pages.map(({ key, path, label }) => html`<div><dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd><a href="${path}" data-key="${key}">${label}</a></dd></div>\n`)}<div><dt><kbd>/</kbd></dt><dd>Search keys (on the Keys page)</dd></div>
<div><dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>Move between the bars of a focused chart</dd></div>
<div><dt><kbd>?</kbd></dt><dd>Show or hide these shortcuts</dd></div>
</dl>
<form method="dialog"><button>Close</button></form>
</dialog>`;
}

type FrameContext = Pick<ConsoleContext, "deployment" | "hasClusterPage">;

/** Sends a page of the console in its frame, with a sign-out button for operators who are signed in. */
export function sendPage(
  res: Response,
  { deployment, hasClusterPage }: FrameContext,
  title: string,
  content: Html,
  options: { status?: number; path?: string; scripts?: readonly string[] } = {},
): void {
  const { status = 200, path = "", scripts = [] } = options;
  const session = findSession(res);
  const { apiUrl, docsUrl } = deployment();
  const url = apiUrl ?? docsUrl;
  const pages = PAGES.filter(
    ({ label, needs = "viewer" }) => (hasClusterPage || label !== "Cluster") && session && hasRole(res, needs),
  );
  const text = page(title, session ? html`${content}\n${shortcutsHelp(pages)}` : content, {
    path,
    scripts: ["/console/assets/console.js", "/console/assets/chart.js", "/console/assets/live.js", ...scripts],
    styles: ["/console/assets/console.css"],
    wide: true,
    host: url === null ? null : new URL(url).host,
    nav: [
      ...(session ? [{ title: "Console", pages }] : []),
      { title: "Docs", pages: session ? [GUIDES, DOCS_SITE] : [DOCS_SITE] },
    ],
    corner: session ? signOutForm(session, hiddenOf(res)) : html``,
  });
  res.status(status).type("html").send(text);
}

/** Sends a short notice, such as an error. */
export function sendNotice(
  res: Response,
  context: FrameContext,
  notice: { status: number; title: string; text: string },
): void {
  const { status, title, text } = notice;
  const content = html`<h1>${title}</h1>\n<p>${text}</p>\n<p><a href="/console">Overview</a> · <a href="/console/keys">Keys</a></p>`;
  sendPage(res, context, title, content, { status });
}

/** The operator's name and the button that signs out, for the end of the header. A proxy would sign in again at once. */
export function signOutForm({ operator }: Session, hidden: Html): Html {
  return html`<form class="corner sign-out" method="post" action="/console/sign-out">${hidden}<span class="who">${operator.name}</span>${operator.source === "proxy" ? "" : html`<button class="quiet">Sign out</button>`}</form>`;
}
