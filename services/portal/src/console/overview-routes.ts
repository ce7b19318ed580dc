import { type Response, Router } from "express";
import { html } from "../html.ts";
import type { ServiceView } from "./cluster.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";
import { sendPage } from "./frame.ts";
import { liveRegion } from "./live-region.ts";
import { createOverview } from "./overview.ts";
import { overviewView } from "./overview-page.ts";
import type { Streams } from "./streams.ts";

const OVERVIEW_EVERY_MS = 3_000;

/** The first page: current activity, and what needs attention. */
export function overviewRoutes(
  context: ConsoleContext,
  { streams, clusterView }: { streams: Streams; clusterView: (() => Promise<ServiceView[]>) | null },
): Router {
  const { deployment } = context;
  const collect = createOverview({ ...context, clusterView });
  const render = async () => overviewView(await collect(), deployment().plans(), deployment().apiUrl);
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", async (_req, res: Response) => {
    const content = html`<h1>Overview</h1>\n${liveRegion("/console/events", await render())}`;
    sendPage(res, context, "Overview", content, { path: "/console" });
  });
  router.get("/events", (req, res: Response) =>
    streams.open(req, res, sessionOf(res), { everyMs: OVERVIEW_EVERY_MS, render }),
  );
  return router;
}
