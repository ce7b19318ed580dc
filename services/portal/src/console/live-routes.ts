import { type Response, Router } from "express";
import { html } from "../html.ts";
import type { ClusterView } from "./cluster.ts";
import { clusterView } from "./cluster-page.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";
import { isKeyId } from "./fields.ts";
import { sendPage } from "./frame.ts";
import { keyUsage } from "./key-usage.ts";
import { liveRegion, type Streams } from "./streams.ts";
import { readRange } from "./usage-range.ts";
import { usageView } from "./usage-view.ts";

const USAGE_EVERY_MS = 1_000;
const CLUSTER_EVERY_MS = 3_000;

/** The cluster page, and live updates of pages. */
export function liveRoutes(
  context: ConsoleContext,
  { streams, clusterView: collectStatus }: { streams: Streams; clusterView: ClusterView | null },
): Router {
  const { backend, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/keys/:keyId/events", async (req, res: Response, next) => {
    const { keyId } = req.params;
    if (!isKeyId(keyId)) return next();
    const key = await backend.getKey(keyId);
    const usage = keyUsage(context, key, readRange(req.url, clock()));
    streams.open(req, res, sessionOf(res), {
      everyMs: USAGE_EVERY_MS,
      render: async () => usageView({ key, ...(await usage()) }),
    });
  });

  const sendCluster = (res: Response, content: ReturnType<typeof html>) =>
    sendPage(res, context, "Cluster", html`<h1>Cluster</h1>\n${content}`, { path: "/console/cluster" });
  router.get("/cluster", async (_req, res: Response, next) => {
    if (!context.hasClusterPage) return next();
    if (collectStatus)
      return sendCluster(res, liveRegion("/console/cluster/events", clusterView(await collectStatus())));
    sendCluster(
      res,
      html`<p>This page shows the status of every process. To set it up, set <code>OPS_TARGETS</code> of the portal to the ops ports of
the services:
<code>gateway=host:port,auth=host:port,geo=host:port,usage=host:port</code>.</p>`,
    );
  });
  router.get("/cluster/events", (req, res: Response, next) => {
    if (!collectStatus || !context.hasClusterPage) return next();
    const render = async () => clusterView(await collectStatus());
    streams.open(req, res, sessionOf(res), { everyMs: CLUSTER_EVERY_MS, render });
  });
  return router;
}
