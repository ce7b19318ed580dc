import { periodAt } from "@geolookup/shared/domain/period.ts";
import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { nodesOf } from "@geolookup/shared/runtime/grpc/target-addresses.ts";
import { type Response, Router } from "express";
import { html } from "../html.ts";
import { createClusterView } from "./cluster.ts";
import { clusterView } from "./cluster-page.ts";
import { type ConsoleContext, operatorOf } from "./context.ts";
import { sendPage } from "./frame.ts";
import { isKeyId } from "./key-routes.ts";
import { liveRegion } from "./live-region.ts";
import { lookUpWithin } from "./node-lookup.ts";
import type { ConsoleSettings } from "./settings.ts";
import type { Streams } from "./streams.ts";
import { keptMonths } from "./usage-months.ts";
import { monthsView, monthView } from "./usage-view.ts";

const USAGE_EVERY_MS = 1_000;
const CLUSTER_EVERY_MS = 3_000;
const DNS_TIMEOUT_MS = 1_500;

/** The cluster page, and the live parts of pages. */
export function liveRoutes(
  context: ConsoleContext,
  { streams, opsTargets }: { streams: Streams; opsTargets: ConsoleSettings["opsTargets"] },
): Router {
  const { backend, site, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/keys/:keyId/events", async (req, res: Response, next) => {
    const { keyId } = req.params;
    if (!isKeyId(keyId)) return next();
    const { plan } = await backend.getKey(keyId);
    // Asked for once: what is past changes no more.
    let past: UsageView[] | undefined;
    streams.open(req, res, operatorOf(res), {
      everyMs: USAGE_EVERY_MS,
      render: async () => {
        const current = periodAt(clock());
        const months = keptMonths(clock()).slice(0, -1);
        past ??= await Promise.all(months.map((month) => backend.usage(keyId, month)));
        const usage = await backend.usage(keyId, current.month);
        return html`${monthView(usage, plan, site().plans(), current)}
${monthsView(keyId, [...past, usage], current.month)}`;
      },
    });
  });

  const lookUp = lookUpWithin({ lookUp: nodesOf, timeoutMs: DNS_TIMEOUT_MS });
  const look = opsTargets && createClusterView({ targets: opsTargets, clock, lookUp });
  const sendCluster = (res: Response, content: ReturnType<typeof html>) =>
    sendPage(res, context, "Cluster", html`<h1>Cluster</h1>\n${content}`, { path: "/console/cluster" });
  router.get("/cluster", async (_req, res: Response) => {
    if (look) return sendCluster(res, liveRegion("/console/cluster/events", clusterView(await look())));
    sendCluster(
      res,
      html`<p>This page asks the services' ops ports how they are. Name them to the portal in <code>OPS_TARGETS</code>:
<code>gateway=host:port,auth=host:port,geo=host:port,usage=host:port</code>.</p>`,
    );
  });
  router.get("/cluster/events", (req, res: Response, next) => {
    if (!look) return next();
    const render = async () => clusterView(await look());
    streams.open(req, res, operatorOf(res), { everyMs: CLUSTER_EVERY_MS, render });
  });
  return router;
}
