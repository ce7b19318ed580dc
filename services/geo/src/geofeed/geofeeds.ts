import { basename } from "node:path";
import { watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import type { CityLocations } from "./city-locations.ts";
import { combineFeeds } from "./combine-feeds.ts";
import { type DownloadState, downloadStateFile, readDownloadState } from "./download-state.ts";
import { type FeedChange, type FollowedFeed, followFeed } from "./follow-feed.ts";
import type { Geofeed, NamedFeed } from "./geofeed.ts";
import { type FeedFile, type GeofeedPaths, listFeeds } from "./geofeed-paths.ts";
import { MAX_PREFIXES } from "./read-geofeed.ts";

const NO_CORRECTIONS: Geofeed = { prefixes: 0, find: () => null, coversNetwork: () => true, matches: () => [] };

export interface OpenedGeofeeds {
  /** The corrections in use. */
  current(): Geofeed;
  /** Looks for added, changed and removed files once, and for changed databases. */
  poll(): Promise<void>;
}

/**
 * Opens the operator's geofeeds and follows them: files that are added, changed or removed take effect without a restart.
 * `poll` once before `current`: it needs the databases.
 * @param options.cities where the databases have the cities that the geofeeds name.
 * @param options.onChange called when `current` has been replaced.
 * @throws StartError if a file that the operator named can't be used now.
 */
export async function openGeofeeds(options: {
  paths: GeofeedPaths;
  log: Logger;
  registry: Registry;
  cities: CityLocations;
  onChange: () => void;
}): Promise<OpenedGeofeeds> {
  const { paths, log, cities, onChange } = options;
  const metrics = createGeofeedMetrics(options.registry);
  const pollDownloads = paths.downloaded === undefined ? null : followDownloads(paths.downloaded, options);
  /** By path. */
  const followed = new Map<string, FollowedFeed>();
  let reported = "";
  const list = async () => {
    const { files, problems } = await listFeeds(paths);
    if (problems.join() !== reported && problems.length > 0) log.error({ problems }, "geofeeds are not available");
    reported = problems.join();
    return files;
  };
  /** In order of priority. What is no longer listed comes last, until it has been dropped. */
  const inUse = (files: readonly FeedFile[]): NamedFeed[] =>
    [...new Set([...files.map(({ path }) => path), ...followed.keys()])].flatMap((path) => {
      const feed = followed.get(path)?.current();
      return feed ? [{ name: basename(path), feed }] : [];
    });
  const follow = async (file: FeedFile, readsNow: boolean) => {
    const others = () => [...followed].filter(([path]) => path !== file.path);
    const count = (sum: number, [, one]: [string, FollowedFeed]) => sum + (one.current()?.prefixes.values.size ?? 0);
    const maxPrefixes = () => MAX_PREFIXES - others().reduce(count, 0);
    followed.set(file.path, await followFeed(file, { log, maxPrefixes, readsNow }));
  };
  const report = (geofeed: Geofeed, feeds: readonly NamedFeed[]) => {
    metrics.feeds.set(feeds.length);
    metrics.prefixes.set(geofeed.prefixes);
    metrics.skippedLines.set([...followed.values()].reduce((sum, one) => sum + one.skippedLines(), 0));
  };

  for (const file of await list()) await follow(file, true);
  let current = NO_CORRECTIONS;
  let hasChanged = true;

  return {
    current: () => current,
    async poll() {
      await pollDownloads?.();
      const files = await list();
      const listed = new Set(files.map(({ path }) => path));
      for (const file of files) if (!followed.has(file.path)) await follow(file, false);
      for (const [path, feed] of followed) {
        const result = await feed.poll();
        if (result !== "unchanged") metrics.reloads.inc({ result });
        hasChanged ||= result === "reloaded" || result === "removed";
        if (feed.current() === null && !listed.has(path)) followed.delete(path);
      }
      metrics.refused.set([...followed.values()].filter((one) => one.isRefused()).length);
      const feeds = inUse(files);
      if (!hasChanged && (feeds.length === 0 || !cities.isOutdated())) return;
      current = await combineFeeds(feeds, await cities.locate(feeds));
      if (hasChanged && feeds.length > 0) metrics.loadedAt.setToCurrentTime();
      hasChanged = false;
      report(current, feeds);
      onChange();
    },
  };
}

/**
 * Follows how the downloads of geofeeds go, which another process does, and shows it in the metrics.
 * @param folder where the copies are.
 * @returns looks once.
 */
function followDownloads(folder: string, { registry, log }: { registry: Registry; log: Logger }) {
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

/** The metrics of the operator's geofeeds. */
function createGeofeedMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name: `geolookup_geo_geofeed${name}`, help, registers });
  const reloads = new Counter({
    name: "geolookup_geo_geofeed_reloads_total",
    help: "Changes of geofeed files, by result.",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["reloaded", "refused", "removed"] satisfies FeedChange[]) reloads.inc({ result }, 0);
  return {
    feeds: gauge("s", "Geofeeds in use."),
    prefixes: gauge("_prefixes", "Prefixes in the operator's geofeeds."),
    skippedLines: gauge("_skipped_lines", "Lines of the geofeeds that were skipped because of a mistake."),
    refused: gauge("_refused", "Geofeed files that are refused; older corrections of them stay in use."),
    loadedAt: gauge(
      "_loaded_timestamp_seconds",
      "When the geofeeds in use were last changed, Unix seconds; 0 if never.",
    ),
    reloads,
  };
}
