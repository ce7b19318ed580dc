import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type ChooseOptions, chooseVendor } from "./choice/choose-vendor.ts";
import { type RememberedFailures, readFailures } from "./choice/remembered-failures.ts";
import { readConfig } from "./config.ts";
import { type FetchPatience, UnreachableError } from "./download/fetch-persistently.ts";
import { createGuardedFetch } from "./download/guarded-fetch.ts";
import { createProgress } from "./download/progress.ts";
import { readProxies } from "./download/proxies.ts";
import type { Refetch } from "./fetch/decide.ts";
import { fetchGeoData } from "./fetch/fetch-geo-data.ts";
import type { FetchResult } from "./fetch/fetch-parts.ts";
import { UnusablePartError } from "./fetch/refused-data-error.ts";
import type { Part } from "./sources/part.ts";
import { describeVersion, readInstalled } from "./store/installed.ts";

const PATIENCE = {
  attempts: 4,
  retryDelayMs: 1_000,
  silenceMs: 30_000,
  totalMs: 30 * 60_000,
  longestWaitMs: 60_000,
};

/** A file that can't be read is likely to be like the last one of its source, however often that is built. */
const UNUSABLE_RETRY_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** How everything is downloaded: through the proxies that the environment names. @throws StartError if they are invalid. */
export function patienceOf(environment: Readonly<Record<string, string | undefined>>): FetchPatience {
  return { ...PATIENCE, fetch: createGuardedFetch({ proxies: readProxies(environment) }) };
}

export interface RunOptions {
  /** Where the versions are. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  refetch: Refetch;
  /**
   * Who waits for it. Without data, a start installs what is available immediately; later, the refresh finds better data. A
   * person's run also tries hosts that were unreachable in the last hour; starts and the refresh don't wait for them.
   */
  by: "person" | "start" | "refresh";
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, as a message for the operator. */
  say: (line: string) => void;
  /** Shows a download; default: on standard error. */
  progress?: ChooseOptions["progress"];
  /** Other limits and places: for tests. */
  overrides?: Partial<Pick<ChooseOptions, "patience" | "probeMs" | "maxBytes" | "dbipUrl" | "sapicsUrl" | "pinsFile">>;
}

export interface RunResult extends FetchResult {
  /** Why better sources weren't used, for the operator. */
  problems: readonly string[];
}

/**
 * One run: picks the source that the environment names, or the best free ones that respond, and installs what they have. If a free
 * source's data can't be used, the next source replaces it.
 * @throws StartError with one line for what the operator can fix.
 */
export async function runOnce(options: RunOptions): Promise<RunResult> {
  const { folder, environment, refetch, by, now, say, overrides } = options;
  const progress = options.progress ?? ((label: string) => createProgress(`geo-data: ${label}`, process.stderr, now));
  const config = readConfig(environment);
  const patience = patienceOf(environment);
  const installed = await readInstalled(folder);
  const unusable = await readFailures(join(folder, "unusable.json"), {
    retryAfterMs: UNUSABLE_RETRY_AFTER_MS,
    nowMs: now(),
    triesAll: by === "person",
  });
  const failed = new Set(unusable.names());
  let isHurried = by === "start" && config.isRefreshed;
  for (;;) {
    const failures = failed.size;
    const {
      vendor,
      reason,
      problems = [],
    } = await chooseVendor(config, {
      ...{ folder, installed, refetch, isHurried, triesAll: by === "person", failed, patience, now, say, progress },
      ...overrides,
    });
    if (reason !== null) say(reason);
    try {
      const parts = vendor.parts.map((part) => withoutUnusable(part, unusable));
      const result = await fetchGeoData({ folder, installed, vendor: { ...vendor, parts }, refetch, now, say });
      if (result.outcome === "updated")
        await unusable.remember(
          [],
          result.stored.sources.map(({ name }) => name),
        );
      return { ...result, problems };
    } catch (error) {
      if (error instanceof UnusablePartError) {
        if (error.isLasting) await unusable.remember([error.part], []);
        if (vendor.isDefault) failed.add(error.part);
      }
      const isOnlyNpm = isHurried && vendor.isDefault && error instanceof UnreachableError;
      if (!isOnlyNpm && failed.size === failures) throw error;
      say((error as Error).message);
      isHurried = false;
    }
  }
}

/** Runs what installs data. A failure doesn't count while complete data is in use. @throws what `run` throws. */
export async function orKeep(
  run: () => Promise<unknown>,
  { folder, say }: Pick<RunOptions, "folder" | "say">,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const installed = error instanceof StartError ? await readInstalled(folder) : null;
    if (!installed || installed.damaged.length > 0) throw error;
    say((error as Error).message);
    say(`fix this; until then, the current geo data stays in use: ${describeVersion(installed.stored)}`);
  }
}

/** The part, but not to be found while it is remembered as unusable. */
function withoutUnusable(part: Part, unusable: RememberedFailures): Part {
  const since = unusable.since(part.name);
  if (since === null) return part;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const problem = `the file of ${part.name} couldn't be used on ${day(since)}, so it isn't downloaded again before ${day(since + UNUSABLE_RETRY_AFTER_MS)}; to try now, run "./geolookup data fetch --update"`;
  return { ...part, find: () => Promise.reject(new StartError(problem)) };
}
