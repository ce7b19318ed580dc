import { type Request, type Response, Router } from "express";
import { reportView } from "../data-report/report-view.ts";
import type { ReportState } from "../deployment/kept-report.ts";
import { orNull } from "../deployment/services.ts";
import { type Html, html } from "../html.ts";
import { requireRole } from "./access.ts";
import { type ConsoleContext, hasRole, hiddenOf, sessionOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { DATA_PATH, dataStatusView } from "./data-status-view.ts";
import { FormError, formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";
import type { DataCommand, DataCommands } from "./settings.ts";
import { liveRegion, type Streams } from "./streams.ts";

const STATUS_EVERY_MS = 1_000;
const VERSION = /^v[1-9]\d{0,8}$/;

/** The page about the data in use: versions, updates and rollbacks, and the report about its quality. */
export function dataRoutes(
  context: ConsoleContext,
  { streams, commands }: { streams: Streams; commands: DataCommands | null },
): Router {
  const { backend, deployment, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const render = async (res: Response) => {
    const [databases, status] = await Promise.all([
      deployment().databases(),
      backend.dataStatus && orNull(backend.dataStatus()),
    ]);
    const hidden = hiddenOf(res);
    const job = commands && hasRole(res, "admin") ? (commands.job() ?? "none") : null;
    return dataStatusView({ databases, status, job, nowMs: clock(), hidden });
  };
  router.get("/data", async (_req, res: Response) => {
    const content = html`<h1>Data</h1>
${liveRegion(`${DATA_PATH}/events`, await render(res))}
<h2>Quality</h2>
${stateView(await deployment().report())}`;
    sendPage(res, context, "Data", content, { path: DATA_PATH });
  });
  router.get("/data/events", (req, res: Response) =>
    streams.open(req, res, sessionOf(res), { everyMs: STATUS_EVERY_MS, render: () => render(res) }),
  );

  const form = sessionForm(context);
  const start = (res: Response, command: DataCommand) => {
    if (commands === null)
      throw new FormError(409, "This console can't change the data. Run the command shown on the Data page.");
    if (!commands.start(command)) throw new FormError(409, "Another change is in progress. Wait until it's done.");
    res.redirect(303, DATA_PATH);
  };
  router.post("/data/update", form, requireRole("admin"), (_req: Request, res: Response) =>
    start(res, { update: true }),
  );
  router.post("/data/use", form, requireRole("admin"), (req: Request, res: Response) => {
    const version = formFields(req)("version");
    if (!VERSION.test(version)) throw new FormError(400, "That isn't a valid version.");
    start(res, { version });
  });
  return router;
}

function stateView(state: ReportState): Html {
  if (state === "none") return COMPUTING;
  if (state === "invalid")
    return html`<p class="problem">The report about the data can't be read: it is damaged, or another version of geolookup made it. To make another one, run <code>./geolookup data report</code>.</p>`;
  if (state === "unavailable")
    return html`<p class="problem">The geo service is not responding, or an older version of it is running. Reload this page in a moment.</p>`;
  return reportView(state.report);
}

const COMPUTING = html`<p>The report about the data in use is being computed. This takes a few minutes at low priority, so that requests
aren't slowed down. Reload this page then.</p>
<p>If this persists, look for <code>data report failed</code> in the logs, or run <code>./geolookup data report</code> to make the report now.</p>`;
