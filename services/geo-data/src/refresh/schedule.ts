import type { RefreshOutcome, RefreshState } from "@geolookup/geo/databases/refresh-state.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Runs are a day apart, at a different minute each day, so that requests to a publisher are spread out. */
const SPREAD_MS = HOUR_MS;
/** After a first failure; doubles with each further one, up to a day. */
const FIRST_RETRY_MS = HOUR_MS;
/** Jitter of a retry, as a share of the wait. It only lengthens the wait: no publisher gets two requests within an hour. */
const JITTER = 0.5;

/** The longest wait, regardless of clocks and servers. */
const MAX_WAIT_MS = DAY_MS * (1 + JITTER);

/** The result of a run. */
export interface Run {
  outcome: RefreshOutcome;
  /** One line for the operator; null if it was successful. */
  problem: string | null;
  /** The publisher's Retry-After, in milliseconds since the Unix epoch. */
  notBeforeMs?: number;
}

/** Before the first run. It is due immediately: a start may have installed older data than what is published. */
export function firstState(nowMs: number): RefreshState {
  return {
    nextRunAt: timeOf(nowMs),
    lastRun: null,
    lastSuccessAt: null,
    runs: { updated: 0, unchanged: 0, refused: 0, failed: 0 },
    failuresInARow: 0,
  };
}

/**
 * The state after a run.
 * @param random from 0 up to 1.
 */
export function stateAfter(before: RefreshState, run: Run, nowMs: number, random: number): RefreshState {
  const { outcome, problem, notBeforeMs = 0 } = run;
  const failuresInARow = outcome === "failed" ? before.failuresInARow + 1 : 0;
  return {
    nextRunAt: timeOf(Math.max(nowMs + waitMs(failuresInARow, random), Math.min(notBeforeMs, nowMs + MAX_WAIT_MS))),
    lastRun: { at: timeOf(nowMs), outcome, problem },
    lastSuccessAt: problem === null ? timeOf(nowMs) : before.lastSuccessAt,
    runs: { ...before.runs, [outcome]: before.runs[outcome] + 1 },
    failuresInARow,
  };
}

/**
 * The state after the later run. It isn't always the one on disk: a full disk doesn't stop the refresh, and a manual update writes
 * another.
 */
export function laterState(known: RefreshState, onDisk: RefreshState): RefreshState {
  return (onDisk.lastRun?.at ?? "") > (known.lastRun?.at ?? "") ? onDisk : known;
}

/**
 * How long to wait for the next run, in milliseconds; at most as long as after a failure, since the clock by which the state was
 * written may have been wrong.
 */
export function restMs({ nextRunAt }: RefreshState, nowMs: number): number {
  return Math.min(Date.parse(nextRunAt) - nowMs, MAX_WAIT_MS);
}

/** The wait for the next run. Refused data stays refused until there is newer data, so a day is soon enough. */
function waitMs(failuresInARow: number, random: number): number {
  if (failuresInARow === 0) return DAY_MS + (2 * random - 1) * SPREAD_MS;
  return Math.min(FIRST_RETRY_MS * 2 ** (failuresInARow - 1), DAY_MS) * (1 + JITTER * random);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
