import { watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import type { Refreshing } from "./database-age.ts";
import type { DatabaseChoice } from "./installed-databases.ts";
import { type RefreshState, readRefreshState, refreshFile } from "./refresh-state.ts";

/** The state of the refresh, as the process that refreshes the data reports it. */
export interface DataRefresh {
  refreshing(): Refreshing;
  /** Looks whether the refresh has run. */
  poll(): Promise<void>;
}

/** Follows the state of the refresh, which another process does, and shows it in the metrics. */
export async function followRefresh(choice: DatabaseChoice, registry: Registry, log: Logger): Promise<DataRefresh> {
  let state: RefreshState | null = null;
  createRefreshMetrics(registry, () => state);
  if ("files" in choice) return { refreshing: () => "files", poll: async () => {} };
  if (!choice.isRefreshed) return { refreshing: () => "off", poll: async () => {} };
  const folder = choice.installedIn;
  state = await readRefreshState(folder).catch(() => null);
  const poll = watchFiles({
    paths: [refreshFile(folder)],
    signature: "",
    read: () => readRefreshState(folder),
    use: (fresh) => {
      state = fresh;
    },
    // Before the first run.
    onMissing: () => {
      state = null;
    },
    onRefused: ({ message }) => log.warn({ folder, problem: message }, "state of the geo data refresh is unreadable"),
  });
  return {
    refreshing: () => ({ state }),
    poll: async () => void (await poll()),
  };
}

/** These metrics have no sample until there is something to report. */
function createRefreshMetrics(registry: Registry, current: () => RefreshState | null): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (state: RefreshState) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const state = current();
        const value = state && read(state);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  const seconds = (at: string | null | undefined) => (at == null ? null : Math.floor(Date.parse(at) / 1_000));
  new Counter({
    name: "geolookup_geo_refresh_runs_total",
    help: "Runs of the geo data refresh, by outcome.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(current()?.runs ?? {})) this.inc({ outcome }, count);
    },
  });
  gauge("geolookup_geo_refresh_failing", "1 if the last run failed, or refused what it downloaded.", ({ lastRun }) =>
    lastRun ? Number(lastRun.problem !== null) : null,
  );
  gauge("geolookup_geo_refresh_last_run_timestamp_seconds", "When the last run ended, Unix seconds.", ({ lastRun }) =>
    seconds(lastRun?.at),
  );
  gauge(
    "geolookup_geo_refresh_last_success_timestamp_seconds",
    "When the data was last found up to date or made so, Unix seconds.",
    ({ lastSuccessAt }) => seconds(lastSuccessAt),
  );
  gauge(
    "geolookup_geo_refresh_next_run_timestamp_seconds",
    "When the next run is due, Unix seconds.",
    ({ nextRunAt }) => seconds(nextRunAt),
  );
}
