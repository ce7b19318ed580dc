import { currentSignature, watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Feed } from "./geofeed.ts";
import type { FeedFile } from "./geofeed-paths.ts";
import { MissingGeofeedError, problemText, readGeofeedFile } from "./read-geofeed.ts";

/** More go to `./geolookup data check-geofeed`, not to the log. */
const LOGGED_PROBLEMS = 20;

/** What happened to a geofeed's file. */
export type FeedChange = "reloaded" | "refused" | "removed";

/** A geofeed's file and what is used of it. */
export interface FollowedFeed {
  /** Null if nothing is: it is missing, or was never valid. */
  current(): Feed | null;
  skippedLines(): number;
  /** Whether the file as it is now can't be used. */
  isRefused(): boolean;
  /** Checks the file once, and reloads it if it has changed. A removed file's corrections are dropped. */
  poll(): Promise<FeedChange | "unchanged">;
}

/**
 * Reads a geofeed's file and follows its changes. Bad lines are logged and skipped. If the file can't be used as a whole,
 * what was read before stays in use.
 * @param options.maxPrefixes how many it may have now.
 * @param options.readsNow whether to read it at once. Otherwise it is read once it has stayed the same for two polls.
 * @throws StartError if a named file can't be used, unless it is missing.
 */
export async function followFeed(
  { path, isNamed }: FeedFile,
  { log, maxPrefixes, readsNow }: { log: Logger; maxPrefixes: () => number; readsNow: boolean },
): Promise<FollowedFeed> {
  let current: Feed | null = null;
  let skippedLines = 0;
  let isRefused = false;

  const read = async () => {
    let skipped = 0;
    const problems: string[] = [];
    const onProblem = (problem: Parameters<typeof problemText>[0]) => {
      if (problem.skipped) skipped++;
      if (problems.length < LOGGED_PROBLEMS) problems.push(problemText(problem));
    };
    const { feed, signature } = await readGeofeedFile(path, onProblem, { maxPrefixes: maxPrefixes() });
    return { feed, signature, skipped, problems };
  };
  const use = ({ feed, skipped, problems }: Awaited<ReturnType<typeof read>>) => {
    current = feed;
    skippedLines = skipped;
    log.info({ file: path, prefixes: feed.prefixes.values.size, skippedLines }, "the geofeed is in use");
    if (problems.length > 0)
      log.warn(
        { file: path, skippedLines, problems },
        "the geofeed has bad lines; ./geolookup data check-geofeed lists them all",
      );
  };
  const readUnlessMissing = () =>
    read().catch((error: unknown) => {
      if (error instanceof MissingGeofeedError) return null;
      throw error;
    });
  const refuse = ({ message }: Error) => {
    isRefused = true;
    log.error({ file: path, problem: message }, "the geofeed was refused; corrections read from it before stay in use");
  };

  /** Of the file before it is read: if it changes meanwhile, it is read again. */
  const signature = readsNow ? await currentSignature([path]) : "";
  if (readsNow) {
    try {
      const content = await readUnlessMissing();
      if (content) use(content);
      else log.warn({ file: path }, "the geofeed file is missing; it applies once it exists");
    } catch (error) {
      if (isNamed) throw error;
      refuse(error as Error);
    }
  }

  const poll = watchFiles({
    paths: [path],
    signature,
    read: readUnlessMissing,
    use: (content) => {
      isRefused = false;
      if (content) return use(content);
      if (current !== null) log.warn({ file: path }, "the geofeed file was removed; its corrections no longer apply");
      current = null;
      skippedLines = 0;
    },
    onRefused: refuse,
  });
  return {
    current: () => current,
    skippedLines: () => skippedLines,
    isRefused: () => isRefused,
    poll: async () => {
      const result = await poll();
      if (result === "refused" || result === "unchanged") return result;
      return current === null ? "removed" : "reloaded";
    },
  };
}
