import type { Inside, Target } from "../target.ts";

/** One way to attack a deployment. */
export interface Attack {
  name: string;
  /** What it does, for `--list` and the report. */
  about: string;
  /** Statuses that the well-behaved client may get during the attack, besides 200. Default: none. */
  allowedStatuses?: readonly number[];
  /** Whether the docs host may refuse requests or be slow during the attack. Default: no. */
  docsMayFail?: boolean;
  /** The maximum average of log lines per second. Default: not judged. */
  maxLogLinesPerSecond?: number;
  /** Why it can't be run against a target; null: it can. */
  unfit?(target: Target): string | null;
  /** Attacks until the signal aborts, or until everything is sent. */
  run(target: Target, signal: AbortSignal): Promise<AttackOutcome>;
}

export interface AttackOutcome {
  /** What it sent and received, in numbers. */
  tally: Readonly<Record<string, number>>;
  /** Every expectation that the target didn't meet. */
  problems: readonly string[];
}

/** For attacks that need access to their target's processes or files. */
export function needsInside({ inside }: Target): string | null {
  return inside === null ? "needs access to the target's processes" : null;
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

/** The internals of a target that this command started. @throws Error for a target that was already running. */
export function insideOf({ inside }: Target): Inside {
  if (inside === null) throw new Error("no access to the target's processes");
  return inside;
}
