import { type RequestHandler, Router } from "express";
import { html } from "../html.ts";
import { page } from "../page.ts";
import { securityHeaders } from "../security-headers.ts";
import type { MissingSettings } from "./settings.ts";

/** In place of the console where it was not given what it needs. */
export function consoleNotSetUp({ missing }: MissingSettings): Router {
  const say: RequestHandler = (_req, res) => {
    const content = html`<h1>The console is not set up</h1>
<p>It needs settings of the portal that are not there: ${missing.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`)}.
<code>docs/console.md</code> explains them.</p>`;
    res.set({ ...securityHeaders(), "Cache-Control": "no-store" });
    res.status(404).send(page("Console", content));
  };
  return Router().use(say);
}
