import { mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type DownloadState,
  downloadStateFile,
  type FeedState,
  readDownloadState,
} from "@geolookup/geo/geofeed/download-state.ts";
import type { FeedSource } from "@geolookup/geo/geofeed/feed-source.ts";
import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { FetchPatience } from "../download/fetch-persistently.ts";
import { allowedLines, downloadFeed } from "./download-feed.ts";

const HOUR_MS = 60 * 60 * 1_000;
/** Limits for the publisher's Cache-Control. Without it, and after several failures, a feed is fetched daily. */
const MIN_WAIT_MS = HOUR_MS;
const MAX_WAIT_MS = 24 * HOUR_MS;
/** Jitter, as a share of the wait, so that requests are spread out. */
const JITTER = 0.1;
/** The longest and the shortest pause between two checks for feeds that are due. */
const MAX_PAUSE_MS = 10 * 60 * 1_000;
const MIN_PAUSE_MS = 60 * 1_000;
const MAX_PROBLEM_LENGTH = 500;

export interface DownloadOptions {
  sources: readonly FeedSource[];
  /** Where the copies are. */
  folder: string;
  patience: FetchPatience;
  log: Logger;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Numbers from 0 up to 1. */
  random: () => number;
  /** Downloads all, even if they aren't due. */
  all?: boolean;
}

/**
 * Downloads the geofeeds that are due. Copies of feeds that are no longer configured are removed.
 * @returns the state of each feed by name.
 */
export async function downloadDueFeeds(options: DownloadOptions): Promise<DownloadState["feeds"]> {
  const { sources, folder, log, now } = options;
  const before = await readDownloadState(folder).catch((): DownloadState => ({ feeds: {} }));
  const copies = await arrange(sources, folder);
  const feeds: DownloadState["feeds"] = {};
  for (const [index, source] of sources.entries()) {
    const known = before.feeds[source.name];
    const allowed = source.allowed.map(prefixKey).join(" ");
    const hasCopy = copies.has(source.name);
    const isLimited = known?.allowed === allowed;
    if (hasCopy && !isLimited) await limitCopy(join(folder, fileOf(source, index)), source);
    const isCurrent = isLimited && (hasCopy || known.succeededAt === null) && !isDue(known, now());
    const copy = hasCopy && isLimited ? known : null;
    feeds[source.name] = isCurrent && !options.all ? known : await attempt(options, source, { known, copy, allowed });
  }
  if (sources.length === 0) await removeState(folder);
  else
    await saveState(folder, { feeds }).catch((error: Error) =>
      log.error({ folder, problem: error.message }, "geofeed downloads: state not saved"),
    );
  return feeds;
}

/** Downloads geofeeds when they are due, until `wait` throws. */
export async function keepDownloading(
  options: DownloadOptions & { wait: (ms: number) => Promise<void> },
): Promise<never> {
  for (;;) {
    const feeds = await downloadDueFeeds(options).catch((error: Error) => {
      options.log.error({ problem: error.message }, "geofeed downloads failed");
      return {};
    });
    const dueMs = Math.min(...Object.values(feeds).map(({ nextAt }) => Date.parse(nextAt)));
    // The machine may have slept, or its clock may have been set.
    await options.wait(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, dueMs - options.now())));
  }
}

/** A time far in the future is also due: the clock was wrong when it was written. */
function isDue({ nextAt }: FeedState, nowMs: number): boolean {
  return Date.parse(nextAt) <= nowMs || Date.parse(nextAt) > nowMs + 2 * MAX_WAIT_MS;
}

/** Removes lines that are no longer allowed from a copy. Newly allowed lines are added by the next download. */
async function limitCopy(file: string, { allowed }: FeedSource): Promise<void> {
  await replaceFile(file, allowedLines(await readFile(file, "utf8"), allowed).text);
}

async function attempt(
  { sources, folder, patience, log, now, random }: DownloadOptions,
  source: FeedSource,
  { known, copy, allowed }: { known: FeedState | undefined; copy: FeedState | null; allowed: string },
): Promise<FeedState> {
  const wait = (ms: number) => new Date(now() + ms * (1 + JITTER * random())).toISOString();
  const file = join(folder, fileOf(source, sources.indexOf(source)));
  try {
    const { lines, maxAgeSeconds, etag, lastModified } = await downloadFeed(source, file, copy, patience);
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1_000));
    const succeeded = { etag, lastModified, allowed, succeededAt: new Date(now()).toISOString(), nextAt: wait(waitMs) };
    const fields = { feed: source.name, ...(lines ?? { unchanged: true }), nextAt: succeeded.nextAt };
    log.info(fields, "geofeed download succeeded");
    return { ...succeeded, problem: null, failuresInARow: 0 };
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    const problem = line.replaceAll(source.url, source.shownUrl).slice(0, MAX_PROBLEM_LENGTH);
    const failuresInARow = (known?.failuresInARow ?? 0) + 1;
    const nextAt = wait(Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.min(10, failuresInARow - 1)));
    log.warn({ feed: source.name, problem, nextAt }, "geofeed download failed; the previous copy stays in use");
    // A copy that was limited to other prefixes lacks lines: the next attempt needs the whole feed.
    const { etag = null, lastModified = null } = copy ?? {};
    return { etag, lastModified, allowed, succeededAt: known?.succeededAt ?? null, nextAt, problem, failuresInARow };
  }
}

/** Positions first: geo nodes use the files in the order of their names. */
function fileOf({ name }: FeedSource, index: number): string {
  return `${String(index + 1).padStart(2, "0")}-${name}.csv`;
}

/** Renames copies to their feeds' positions, and removes those of other feeds. @returns the names of feeds with a copy. */
async function arrange(sources: readonly FeedSource[], folder: string): Promise<Set<string>> {
  const copies = new Set<string>();
  for (const file of await readdir(folder).catch(() => [])) {
    const name = /^\d{2}-(.*)\.csv$/.exec(file)?.[1];
    if (name === undefined) continue;
    const index = sources.findIndex((source) => source.name === name);
    const source = sources[index];
    if (!source) {
      await rm(join(folder, file));
      continue;
    }
    copies.add(name);
    if (file !== fileOf(source, index)) await rename(join(folder, file), join(folder, fileOf(source, index)));
  }
  return copies;
}

/** Called if there are no feeds. The folder stays if it contains other files. */
async function removeState(folder: string): Promise<void> {
  await rm(downloadStateFile(folder), { force: true });
  await rmdir(folder).catch(() => {});
}

async function saveState(folder: string, state: DownloadState): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(downloadStateFile(folder), `${JSON.stringify(state, null, 2)}\n`);
}

function prefixKey({ words, prefixLength }: FeedSource["allowed"][number]): string {
  return `${words.map(formatIpv4).join(".")}/${prefixLength}`;
}
