import { rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { refreshFile } from "@geolookup/geo/databases/refresh-state.ts";
import { readFeedSources } from "@geolookup/geo/geofeed/feed-source.ts";
import { downloadedIn } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import { tryLockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { readFolder, readRefreshConfig } from "../config.ts";
import { keepDownloading } from "../geofeeds/keep-downloading.ts";
import { orKeep, patienceOf, runOnce } from "../run-once.ts";
import { installFirst, keepRefreshing } from "./keep-refreshing.ts";
import { keepReporting } from "./keep-reporting.ts";

const LOCK_INTERVAL_MS = 60_000;

/**
 * A process that refreshes the data, downloads geofeeds and computes reports about the data until SIGTERM, SIGINT, or the end of
 * its parent process. Stopping it in the middle of a run is safe: the next run removes leftovers, and reuses finished downloads.
 */
export async function runRefreshProcess(
  environment: Readonly<Record<string, string | undefined>>,
  { installsFirst }: { installsFirst: boolean },
): Promise<never> {
  const end = () => process.exit(0);
  process.on("SIGTERM", end);
  // The channel to the parent process closes when the parent ends, even by SIGKILL. Ctrl-C reaches both, but this process must end
  // after its parent.
  const isStarted = process.channel !== undefined;
  if (isStarted) process.on("disconnect", end);
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, isStarted ? () => {} : end);
  yieldToOthers();
  const { isOn, isReported, databases, logLevel } = readRefreshConfig(environment);
  const sources = readFeedSources(environment);
  const folder = readFolder(environment);
  const log = createLog("geo-data", logLevel);
  using _lock = await lockWhenFree(join(folder, ".refresh"));
  const afterRun = collectGarbage();
  const time = { now: Date.now, random: Math.random, wait: (ms: number) => delay(ms) };
  const run = { folder, environment, now: Date.now, progress: () => ({ show: () => {}, end: () => {} }) };
  if (installsFirst) {
    const start = { ...run, say: (step: string) => log.info({ step }, "installing geo data") };
    const install = () => orKeep(() => runOnce({ ...start, refetch: "no", by: "start" }), start);
    await installFirst(install, { log, wait: time.wait });
  }
  const feeds = keepDownloading({
    sources,
    folder: downloadedIn(folder),
    patience: { ...patienceOf(environment), totalMs: 10 * 60_000 },
    log,
    ...time,
  });
  const reports = isReported ? keepReporting({ choice: databases, log, ...time, afterRun }) : feeds;
  if (!isOn) {
    log.info("geo data refresh is off");
    // Otherwise the next run would seem to be overdue.
    await rm(refreshFile(folder), { force: true });
    return await Promise.race([feeds, reports]);
  }
  log.info({ folder }, "geo data refresh started");
  const data = keepRefreshing({
    folder,
    refresh: () =>
      runOnce({
        ...run,
        refetch: "update",
        by: "refresh",
        say: (line) => log.debug({ step: line }, "geo data refresh under way"),
      }),
    log,
    ...time,
    afterRun,
  });
  return await Promise.race([feeds, data, reports]);
}

/** One process refreshes a folder. Others wait here until it has ended. */
async function lockWhenFree(folder: string): Promise<Disposable> {
  for (;;) {
    const lock = tryLockFolder(folder);
    if (lock) return lock;
    await delay(LOCK_INTERVAL_MS);
  }
}

/** Call it before the first use of the thread pool, whose threads inherit the priority. Downloads must not slow down requests. */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // If that isn't allowed, the refresh competes for the CPU.
  }
}

/** @returns a function that frees the memory of files that a run has read. An idle process would keep it for a day. */
function collectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
