import { daysOld } from "@geolookup/geo/databases/database-age.ts";
import { type RefreshState, readRefreshState, refreshFile } from "@geolookup/geo/databases/refresh-state.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { RetryLaterError } from "../download/fetch-persistently.ts";
import { RefusedDataError } from "../fetch/refused-data-error.ts";
import type { RunResult } from "../run-once.ts";
import { describeVersion } from "../store/installed.ts";
import { firstState, type Run, stateAfter } from "./schedule.ts";

const MAX_PROBLEM_LENGTH = 500;

export interface RecordOptions {
  /** Where the versions are. */
  folder: string;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Numbers from 0 up to 1. */
  random: () => number;
}

/** A run that has ended and was recorded. */
export interface RecordedRun extends Run {
  /** The version in use, for the operator. */
  version?: string;
  /** The error that ended it. */
  error?: unknown;
  state: RefreshState;
  /** Why the state isn't on disk; null if it is. */
  notSaved: string | null;
}

/**
 * Looks for newer data, and records the outcome beside the versions, where geo nodes read it: for the daily refresh and manual
 * updates. Never throws.
 * @param refresh looks for newer data and installs it.
 * @param known the state if there is none on disk.
 */
export async function recordRun(
  refresh: () => Promise<RunResult>,
  { folder, now, random }: RecordOptions,
  known = firstState(now()),
): Promise<RecordedRun> {
  const run = await outcomeOf(refresh, now);
  // Read after the run, because there may have been another one in the meantime.
  const before = await readRefreshState(folder).catch(() => known);
  const state = stateAfter(before, run, now(), random());
  const notSaved = await replaceFile(refreshFile(folder), `${JSON.stringify(state, null, 2)}\n`).then(
    () => null,
    ({ message }: Error) => message,
  );
  return { ...run, state, notSaved };
}

async function outcomeOf(
  refresh: () => Promise<RunResult>,
  now: () => number,
): Promise<Run & { version?: string; error?: unknown }> {
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
    if (error instanceof RefusedDataError) return { outcome: "refused", problem: oneLine(message), error };
    return {
      outcome: "failed",
      problem: oneLine(error instanceof StartError ? message : `${name}: ${message}`),
      error,
      ...(error instanceof RetryLaterError ? { notBeforeMs: error.retryAtMs } : {}),
    };
  }
}

/** "bad configuration:" names the variables on further lines. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").slice(0, MAX_PROBLEM_LENGTH);
}
