import { readRefreshState, refreshFile } from "@geolookup/geo/databases/refresh-state.ts";
import { currentSignature } from "@geolookup/shared/runtime/files/watch-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { RunResult } from "../run-once.ts";
import { type RecordedRun, type RecordOptions, recordRun } from "./record-run.ts";
import { firstState, laterState, restMs } from "./schedule.ts";

/** Publishers allow few downloads a day. Doubles with each further failure. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 60 * 60_000;

/**
 * Prepares data as at startup: installs it if there is none, or repairs it. Retries until there is data.
 * @param run looks for data as a start does.
 * @throws what `wait` and `run` throw, but for a StartError.
 */
export async function installFirst(
  run: () => Promise<void>,
  { log, wait }: { log: Logger; wait: (ms: number) => Promise<void> },
): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      log.warn({ problem: error.message, retrySeconds: retryMs / 1_000 }, "geo data not installed; retrying");
      await wait(retryMs);
    }
  }
}

/** The longest uninterrupted wait. The clock is checked again after it, because the machine may have slept. */
const MAX_WAIT_MS = 10 * 60 * 1_000;

export interface RefreshOptions extends RecordOptions {
  /** Looks for newer data and installs it. */
  refresh: () => Promise<RunResult>;
  log: Logger;
  /** Resolves after this many milliseconds. @throws when the refresh is to end. */
  wait: (ms: number) => Promise<void>;
  /** Called when a run has ended. */
  afterRun?: () => void;
}

/**
 * Refreshes the data once a day, and sooner after failures, until `wait` throws. The schedule is stored in a file beside the
 * versions, so it survives restarts, and manual updates count. Each run logs one line.
 */
export async function keepRefreshing(options: RefreshOptions): Promise<never> {
  const { folder, refresh, log, now, wait, afterRun } = options;
  let state = firstState(now());
  let read = "";
  for (;;) {
    for (let due = "", leftMs = 0; ; ) {
      const onDisk = await currentSignature([refreshFile(folder)]);
      if (onDisk !== read) state = laterState(state, await readRefreshState(folder).catch(() => state));
      read = onDisk;
      const restsMs = restMs(state, now());
      leftMs = state.nextRunAt === due ? Math.min(leftMs, restsMs) : restsMs;
      if (leftMs <= 0) break;
      due = state.nextRunAt;
      const stepMs = Math.min(leftMs, MAX_WAIT_MS);
      await wait(stepMs);
      leftMs -= stepMs;
    }
    const startedMs = now();
    const run = await recordRun(refresh, options, state);
    ({ state } = run);
    if (run.notSaved !== null)
      log.error({ file: refreshFile(folder), problem: run.notSaved }, "geo data refresh: state not saved");
    report(log, run, Math.round((now() - startedMs) / 1_000));
    afterRun?.();
  }
}

/** A temporary failure isn't a warning: geo nodes warn once the data is old. */
function report(log: Logger, { outcome, problem, version, state: { nextRunAt } }: RecordedRun, seconds: number): void {
  if (problem === null) log.info({ outcome, version, seconds, nextRunAt }, "geo data refresh succeeded");
  else
    log[outcome === "refused" ? "warn" : "info"](
      { outcome, problem, version, seconds, nextRunAt },
      "geo data refresh failed; the data in use stays",
    );
}
