import { watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Gauge, type Registry } from "@prometheus-io/client";
import { type DownloadState, downloadStateFile, readDownloadState } from "./download-state.ts";

/**
 * Follows how the downloads of geofeeds go, which another process does, and shows it in the metrics.
 * @param folder where the copies are.
 * @returns looks once.
 */
export function followDownloads(folder: string, { registry, log }: { registry: Registry; log: Logger }) {
  let state: DownloadState = { feeds: {} };
  new Gauge({
    name: "geolookup_geo_geofeed_download_failing",
    help: "1 if the last download of a geofeed failed; its previous copy stays in use.",
    labelNames: ["feed"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [feed, { problem }] of Object.entries(state.feeds)) this.set({ feed }, Number(problem !== null));
    },
  });
  const poll = watchFiles({
    paths: [downloadStateFile(folder)],
    signature: "missing",
    read: () => readDownloadState(folder),
    use: (fresh) => {
      state = fresh;
    },
    onMissing: () => {
      state = { feeds: {} };
    },
    onRefused: ({ message }) => log.warn({ folder, problem: message }, "state of the geofeed downloads is unreadable"),
  });
  return async (): Promise<void> => void (await poll());
}
