import { type Response, Router } from "express";
import { reportView } from "../data-report/report-view.ts";
import type { ReportState } from "../deployment/kept-report.ts";
import { type Html, html } from "../html.ts";
import type { ConsoleContext } from "./context.ts";
import { sendPage } from "./frame.ts";

/** The page about the quality of the data in use. */
export function dataRoutes(context: ConsoleContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/data", async (_req, res: Response) => {
    const content = html`<h1>Data</h1>\n${stateView(await context.deployment().report())}`;
    sendPage(res, context, "Data", content, { path: "/console/data", styles: ["/console/assets/data-report.css"] });
  });
  return router;
}

function stateView(state: ReportState): Html {
  if (state === "none") return COMPUTING;
  if (state === "invalid")
    return html`<p class="problem">The report about the data can't be read: it is damaged, or another version of geolookup made it. To make another one, run <code>make data-report</code>.</p>`;
  if (state === "unavailable")
    return html`<p class="problem">The geo service is not responding, or an older version of it is running. Reload this page in a moment.</p>`;
  return reportView(state.report);
}

const COMPUTING = html`<p>The report about the data in use is being computed. This takes a few minutes at low priority, so that requests
aren't slowed down. Reload this page then.</p>
<p>If this persists, look for <code>data report failed</code> in the logs, or run <code>make data-report</code> to make the report now.</p>`;
