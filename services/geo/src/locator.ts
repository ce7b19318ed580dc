import { basename } from "node:path";
import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { Registry } from "@prometheus-io/client";
import { type OnLoss, refuseLoss } from "./databases/data-kinds.ts";
import { followRefresh } from "./databases/data-refresh.ts";
import { type DataStatus, readDataStatus } from "./databases/data-status.ts";
import type { Database, DatabaseInfo, OpenedDatabase } from "./databases/database.ts";
import { createAgeWarning } from "./databases/database-age.ts";
import { CURRENT_FILE, type DatabaseChoice } from "./databases/installed-databases.ts";
import { openNamed, rememberKinds } from "./databases/named-databases.ts";
import type { OpenedFile } from "./databases/open-files.ts";
import { followFile, followInstalled, openInstalled } from "./databases/reload.ts";
import { createCityLocations } from "./geofeed/city-locations.ts";
import type { GeofeedPaths } from "./geofeed/geofeed-paths.ts";
import { openGeofeeds } from "./geofeed/geofeeds.ts";
import { createLocate, type Locate, type LocatedPlace } from "./lookup/locate.ts";
import { createGeoMetrics } from "./metrics.ts";
import { addressToLookUp } from "./mmdb/address.ts";
import { createReportReader, reportsFolder } from "./report/report-file.ts";

const POLL_INTERVAL_MS = 1_000;
/** Threads that check databases before anything is served. Each holds one file. */
const THREADS_AT_START = 2;
const NO_GEOFEEDS: GeofeedPaths = { named: [], optional: [] };

/** A location, and the results of each source. */
export interface Explanation {
  located: LocatedPlace;
  /** With the prefix of a geofeed; empty for databases. */
  sources: { name: string; located: LocatedPlace; prefix: string }[];
}

/** The kept report about the databases in use as JSON, and their hashes. */
export interface KeptReport {
  json: string | null;
  /** In priority order. */
  loadedSha256: string[];
}

export interface OpenedLocator extends AsyncDisposable {
  /** The record of a canonical address; synchronous, never throws. */
  locate(ip: string): Located;
  /** The same field by field. */
  locatePlace(ip: string): LocatedPlace;
  /** As in locate.ts. */
  prefixLength(ip: string): number;
  /** Increases whenever the data in use change. */
  dataRevision(): number;
  /**
   * What each source with addresses of this version says: the databases in priority order, then the geofeeds, first the one that
   * applies. Not counted.
   */
  explain(ip: string): Explanation;
  /** In priority order. */
  databases(): DatabaseInfo[];
  /** The report about the quality of the data in use, unchecked; null if there is none. */
  report(): Promise<KeptReport>;
  /** Where the data in use comes from. */
  dataStatus(): Promise<DataStatus>;
}

/**
 * Opens and checks the databases and the operator's geofeeds, and follows their files, so that a new one is used within
 * a few seconds and a bad one never.
 * @param options.acceptsLoss whether to open data that have lost their places or networks. Doesn't apply to reloads.
 * @param options.stopping aborts opening.
 * @param options.pollIntervalMs how often files are looked at.
 * @throws StartError naming a file that can't be used; the reason for stopping.
 */
export async function openLocator(options: {
  databases: DatabaseChoice;
  geofeeds?: GeofeedPaths;
  log: Logger;
  registry: Registry;
  acceptsLoss?: boolean;
  stopping?: AbortSignal | undefined;
  pollIntervalMs?: number;
}): Promise<OpenedLocator> {
  const { databases: choice, log, registry, stopping } = options;
  const readReport = createReportReader(reportsFolder(choice), Date.now);
  const closing = new AbortController();
  const { signal } = closing;
  let opened: Database[] = [];
  let paths: string[] = [];
  let polls: (() => Promise<void>)[] = [];
  const metrics = createGeoMetrics(registry, () => opened.map(({ info }) => info));
  const failedBefore = new WeakSet<Database>();
  let locateNow: Locate;
  let dataRevision = 0;
  const onFailure = (database: Database, error: unknown) => {
    metrics.lookupFailures.inc({ database: database.info.name });
    if (failedBefore.has(database)) return;
    failedBefore.add(database);
    log.error({ database: database.info.name, err: error }, "lookup failed: the database is damaged; replace it");
  };
  const use = () => {
    dataRevision += 1;
    locateNow = createLocate([...opened], onFailure, geofeeds.current());
  };
  let inUse: OpenedFile[] = [];
  const searchSignal = stopping ? AbortSignal.any([stopping, signal]) : signal;
  const cities = createCityLocations(() => inUse, { log, signal: searchSignal });
  const geofeeds = await openGeofeeds({ paths: options.geofeeds ?? NO_GEOFEEDS, log, registry, cities, onChange: use });

  const namedBy = "files" in choice ? [] : [CURRENT_FILE];
  const takeAll = (taken: readonly OpenedFile[]) => {
    const files = [...taken];
    inUse = files;
    opened = files.map(({ database }) => database);
    polls = files.map(({ path, signature }, index) => {
      const current = () => opened[index] as Database;
      const swap = (fresh: OpenedDatabase) => {
        opened[index] = fresh.database;
        files[index] = { path, ...fresh };
        use();
      };
      const poll = followFile({ path, signature, current, swap, log, signal });
      return async () => {
        const result = await poll();
        metrics.polled(basename(path), result);
        if (result === "reloaded") await remember();
      };
    });
    paths = files.map(({ path }) => path);
    metrics.follows(
      paths.map((path) => basename(path)),
      namedBy,
    );
    use();
  };
  const remember = async () => {
    if (!("files" in choice) || choice.kindsFile === undefined) return;
    const files = opened.map((database, index) => ({ path: paths[index] as string, database }));
    await rememberKinds(choice.kindsFile, files, log);
  };
  const acceptLoss: OnLoss = (problem) =>
    log.warn({ problem }, "geo data with fewer kinds of data accepted: GEO_DATA_FORCE is on");
  const onLoss = options.acceptsLoss ? acceptLoss : refuseLoss;
  const starting = { threads: THREADS_AT_START, signal: stopping };
  let pollInstalled = async () => {};
  if ("files" in choice) {
    takeAll(await openNamed(choice, { ...starting, onLoss }));
    await remember();
  } else {
    const folder = choice.installedIn;
    const kinds = (name: string) => opened.find(({ info }) => info.name === name)?.kinds ?? [];
    const { files, signature } = await openInstalled(folder, { ...starting, onLoss });
    takeAll(files);
    const poll = followInstalled({ folder, signature, kinds, swap: takeAll, log, signal });
    pollInstalled = async () => metrics.polled(CURRENT_FILE, await poll());
  }
  await geofeeds.poll();
  const refresh = await followRefresh(choice, registry, log);
  const warnOfAge = createAgeWarning(log, Date.now, refresh.refreshing);
  warnOfAge(opened.map(({ info }) => info));
  const polling = repeat(
    options.pollIntervalMs ?? POLL_INTERVAL_MS,
    async () => {
      await pollInstalled();
      for (const poll of polls) await poll();
      await geofeeds.poll();
      await refresh.poll();
      warnOfAge(opened.map(({ info }) => info));
    },
    log,
  );

  const counted = <Located extends { reason: LocateReason }>(located: Located): Located => {
    metrics.lookups[located.reason as keyof typeof metrics.lookups]++;
    return located;
  };
  return {
    locate: (ip) => counted(locateNow.record(ip)),
    locatePlace: (ip) => counted(locateNow.place(ip)),
    prefixLength: (ip) => locateNow.prefixLength(ip),
    dataRevision: () => dataRevision,
    explain: (ip) => {
      const address = addressToLookUp(ip);
      const matches = address === null ? [] : geofeeds.current().matches(address);
      const hasAddress = ({ hasIpv4, hasIpv6 }: Database) =>
        address === null || (typeof address === "number" ? hasIpv4 : hasIpv6);
      return {
        located: locateNow.place(ip),
        sources: [
          ...opened.filter(hasAddress).map((database) => ({
            name: database.info.name,
            located: createLocate([database], onFailure).place(ip),
            prefix: "",
          })),
          ...matches.map(({ feed, prefix, correction: { place } }) => ({
            name: feed,
            located: { place, reason: "found" as const },
            prefix,
          })),
        ],
      };
    },
    databases: () => opened.map(({ info }) => info),
    report: async () => {
      const loadedSha256 = opened.map(({ sha256 }) => sha256);
      return { json: await readReport(loadedSha256), loadedSha256 };
    },
    dataStatus: () => readDataStatus(choice),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await polling[Symbol.asyncDispose]();
    },
  };
}
