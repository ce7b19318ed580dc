import { type RequestHandler, Router } from "express";
import { html } from "../html.ts";
import { page } from "../page.ts";
import { securityHeaders } from "../security-headers.ts";
import type { MissingSettings } from "./settings.ts";

/** Replaces the console if settings are missing. */
export function consoleNotSetUp({ missing }: MissingSettings): Router {
  const sendNotice: RequestHandler = (_req, res) => {
    const content = html`<h1>The console is not set up</h1>
<p>Set these variables of the portal: ${missing.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`)}.
<code>docs/configuration.md</code> describes them.</p>`;
    res.set({ ...securityHeaders(), "Cache-Control": "no-store" });
    res.status(404).send(page("Console", content));
  };
  return Router().use(sendNotice);
}
