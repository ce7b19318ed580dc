import { readFileSync } from "node:fs";

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Every query of the dashboard, as Grafana would send it for the last hour at a scrape interval of 15 s. */
export function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync("infra/grafana/dashboards/geolookup.json", "utf8")) as { panels: Panel[] };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m")));
}
