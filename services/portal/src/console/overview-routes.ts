import { periodAt } from "@geolookup/shared/domain/period.ts";
import { type Response, Router } from "express";
import { orNull, reuse } from "../deployment/services.ts";
import { html } from "../html.ts";
import { type ClusterView, warningsOf } from "./cluster.ts";
import { type ConsoleContext, hasRole, sessionOf } from "./context.ts";
import { sendPage } from "./frame.ts";
import { collectResponses } from "./gateway-responses.ts";
import { type Overview, overviewView } from "./overview-page.ts";
import { liveRegion, type Streams } from "./streams.ts";

const OVERVIEW_EVERY_MS = 3_000;

/** The first page: current activity, and what needs attention. */
export function overviewRoutes(
  context: ConsoleContext,
  { streams, clusterView }: { streams: Streams; clusterView: ClusterView | null },
): Router {
  const { deployment, hasClusterPage } = context;
  const collect = createOverview(context, clusterView);
  const render = async (res: Response) => {
    const { apiUrl, plans } = deployment();
    return overviewView(await collect(), {
      plans: plans(),
      apiUrl,
      hasClusterPage,
      mayIssue: hasRole(res, "operator"),
    });
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", async (_req, res: Response) => {
    const content = html`<h1>Overview</h1>\n${liveRegion("/console/events", await render(res))}`;
    sendPage(res, context, "Overview", content, { path: "/console" });
  });
  router.get("/events", (req, res: Response) =>
    streams.open(req, res, sessionOf(res), { everyMs: OVERVIEW_EVERY_MS, render: () => render(res) }),
  );
  return router;
}

const TOP_KEYS = 5;
/** How long an overview is reused. */
const FRESH_MS = 2_000;

/** Collects the overview. Unavailable parts are null. */
function createOverview(
  { backend, deployment, clock }: ConsoleContext,
  clusterView: ClusterView | null,
): () => Promise<Overview> {
  return reuse(FRESH_MS, clock, async () => {
    const current = periodAt(clock());
    const [usage, services, databases, plans] = await Promise.all([
      orNull(backend.summary(current.month, TOP_KEYS)),
      clusterView?.() ?? null,
      deployment().databases(),
      orNull(backend.plans()),
    ]);
    const [keys, responses] = await Promise.all([
      Promise.all((usage?.top ?? []).map(({ keyId }) => orNull(backend.getKey(keyId)))),
      services && collectResponses(services),
    ]);
    return {
      current,
      usage,
      top: (usage?.top ?? []).flatMap(({ total }, index) => {
        const key = keys[index];
        return key ? [{ key, total }] : [];
      }),
      responses,
      hasHeldPlans: Boolean(plans?.held),
      warnings: services && warningsOf(services),
      databases,
      nowMs: clock(),
    };
  });
}
