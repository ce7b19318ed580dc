import { daysOld } from "@geolookup/geo/databases/database-age.ts";
import { type RefreshState, readRefreshState, refreshFile } from "@geolookup/geo/databases/refresh-state.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { RetryLaterError } from "../download/fetch-persistently.ts";
import { RefusedDataError } from "../fetch/refused-data-error.ts";
import type { RunResult } from "../run-once.ts";
import { describeVersion } from "../store/installed.ts";
import { firstState, type Run, restMs, stateAfter } from "./schedule.ts";

/** The longest uninterrupted wait. The clock is checked again after it, because the machine may have slept. */
const MAX_WAIT_MS = 10 * 60 * 1_000;
const MAX_PROBLEM_LENGTH = 500;

export interface RefreshOptions {
  /** Where the versions are. */
  folder: string;
  /** Looks for newer data and installs it. */
  refresh: () => Promise<RunResult>;
  log: Logger;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Numbers from 0 up to 1. */
  random: () => number;
  /** Resolves after so many milliseconds. @throws when the refresh is to end. */
  wait: (ms: number) => Promise<void>;
  /** Called when a run has ended. */
  afterRun?: () => void;
}

/**
 * Refreshes the data once a day, and sooner after failures, until `wait` throws. The schedule is kept in a file beside the
 * versions, so that restarts don't change it. Each run logs one line.
 */
export async function keepRefreshing(options: RefreshOptions): Promise<never> {
  const { folder, now, random, wait, afterRun } = options;
  let state = await readRefreshState(folder).catch(() => firstState(now()));
  for (;;) {
    for (let leftMs = restMs(state, now()); leftMs > 0; ) {
      const stepMs = Math.min(leftMs, MAX_WAIT_MS);
      await wait(stepMs);
      leftMs = Math.min(leftMs - stepMs, restMs(state, now()));
    }
    const startedMs = now();
    const run = await refreshOnce(options);
    state = stateAfter(state, run, now(), random());
    await saveState(options, state);
    report(options.log, run, { seconds: Math.round((now() - startedMs) / 1_000), nextRunAt: state.nextRunAt });
    afterRun?.();
  }
}

async function refreshOnce({ refresh, now }: RefreshOptions): Promise<Run & { version?: string }> {
  try {
    const { outcome, stored, problems } = await refresh();
    const version = describeVersion(stored);
    if (outcome === "updated") return { outcome, problem: null, version };
    const files = stored.sources.flatMap((source) => source.files);
    // If no better source is reachable, keeping old data is a failure, and keeping recent data isn't.
    if (problems.length > 0 && daysOld(files, now()) !== null)
      return { outcome: "failed", problem: oneLine(problems.join("; ")), version };
    return { outcome: "unchanged", problem: null, version };
  } catch (error) {
    const { name, message } = error as Error;
    const problem = oneLine(error instanceof StartError ? message : `${name}: ${message}`);
    if (error instanceof RefusedDataError) return { outcome: "refused", problem };
    return {
      outcome: "failed",
      problem,
      ...(error instanceof RetryLaterError ? { notBeforeMs: error.retryAtMs } : {}),
    };
  }
}

function oneLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, MAX_PROBLEM_LENGTH);
}

/** A full disk doesn't stop the refresh. The schedule is then kept in memory. */
async function saveState({ folder, log }: RefreshOptions, state: RefreshState): Promise<void> {
  const file = refreshFile(folder);
  try {
    await replaceFile(file, `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    log.error({ file, problem: (error as Error).message }, "geo data refresh: state not saved");
  }
}

/** A temporary failure isn't a warning: geo nodes warn once the data is old. */
function report(log: Logger, run: Run & { version?: string }, fields: object): void {
  const { outcome, problem, version } = run;
  if (problem === null) log.info({ outcome, version, ...fields }, "geo data refresh succeeded");
  else
    log[outcome === "refused" ? "warn" : "info"](
      { outcome, problem, ...fields },
      "geo data refresh failed; the data in use stays",
    );
}
