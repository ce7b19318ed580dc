import { type Response, Router } from "express";
import { orderQuery, pathWith, tableOrders } from "../data-report/table-sort.ts";
import { html } from "../html.ts";
import type { ClusterView } from "./cluster.ts";
import { type ConsoleContext, hasRole, sessionOf } from "./context.ts";
import { DATABASE_COLUMNS } from "./database-table.ts";
import { sendPage } from "./frame.ts";
import { createOverview } from "./overview.ts";
import { type OverviewOrders, overviewView } from "./overview-page.ts";
import { liveRegion, type Streams } from "./streams.ts";

const OVERVIEW_EVERY_MS = 3_000;

/** The first page: current activity, and what needs attention. */
export function overviewRoutes(
  context: ConsoleContext,
  { streams, clusterView }: { streams: Streams; clusterView: ClusterView | null },
): Router {
  const { deployment, hasClusterPage } = context;
  const collect = createOverview({ ...context, clusterView });
  const render = async (res: Response, query: URLSearchParams) => {
    const { apiUrl, plans } = deployment();
    return overviewView(await collect(), {
      ...{ plans: plans(), apiUrl, hasClusterPage, orders: ordersIn(query) },
      mayIssue: hasRole(res, "operator"),
    });
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/", async (req, res: Response) => {
    const query = orderQuery(req.url, PARAMETERS);
    const content = html`<h1>Overview</h1>\n${liveRegion(pathWith("/console/events", query), await render(res, query))}`;
    sendPage(res, context, "Overview", content, { path: "/console" });
  });
  router.get("/events", (req, res: Response) => {
    const query = orderQuery(req.url, PARAMETERS);
    streams.open(req, res, sessionOf(res), { everyMs: OVERVIEW_EVERY_MS, render: () => render(res, query) });
  });
  return router;
}

const PARAMETERS = ["top", "errors", "databases"];

function ordersIn(query: URLSearchParams): OverviewOrders {
  const order = tableOrders("/console", query);
  return {
    top: order("top", ["key", "used"], { column: "used", isDescending: true }),
    errors: order("errors", ["code", "count"], { column: "count", isDescending: true }),
    databases: order("databases", DATABASE_COLUMNS, { column: "", isDescending: false }),
  };
}
