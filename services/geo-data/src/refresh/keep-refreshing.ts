import { readRefreshState, refreshFile } from "@geolookup/geo/databases/refresh-state.ts";
import { currentSignature } from "@geolookup/shared/runtime/files/watch-files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { RunResult } from "../run-once.ts";
import { type RecordedRun, type RecordOptions, recordRun } from "./record-run.ts";
import { firstState, laterState, restMs } from "./schedule.ts";

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
