import type { Inside, Target } from "../target.ts";

/** One way to hurt a deployment. */
export interface Attack {
  name: string;
  /** What it does, for the report. */
  about: string;
  /** Statuses that the good client may get while it lasts, besides 200. Default: none. */
  allowedStatuses?: readonly number[];
  /** Whether the docs host may refuse or be slow while it lasts. Default: no. */
  docsMayFail?: boolean;
  /** How many lines a second it may make the target log, on average. Default: not judged. */
  maxLogLinesPerSecond?: number;
  /** Why it can't be run against a target; null: it can. */
  unfit?(target: Target): string | null;
  /** Attacks until the signal, or until it has done all that it does. */
  run(target: Target, signal: AbortSignal): Promise<AttackOutcome>;
}

export interface AttackOutcome {
  /** What it did and met, in numbers. */
  tally: Readonly<Record<string, number>>;
  /** Each way in which the target didn't hold. */
  problems: readonly string[];
}

/** For attacks that need to see or touch the inside of their target. */
export function needsInside({ inside }: Target): string | null {
  return inside === null ? "needs a target that was started here" : null;
}

/** Counts by name. */
export function createTally() {
  const counts: Record<string, number> = {};
  return {
    counts,
    add: (name: string, count = 1) => {
      counts[name] = (counts[name] ?? 0) + count;
    },
  };
}

/** @throws Error when an attack that needs it was run all the same. */
export function insideOf({ inside }: Target): Inside {
  if (inside === null) throw new Error("the target was not started here");
  return inside;
}
