import type { Target } from "../target.ts";

/** One way to attack a deployment. */
export interface Attack {
  name: string;
  /** What it does, for the titles of tests. */
  about: string;
  /** Statuses that the well-behaved client may get during the attack, besides 200. Default: none. */
  allowedStatuses?: readonly number[];
  /** Whether the docs host may refuse requests or be slow during the attack. Default: no. */
  docsMayFail?: boolean;
  /** The maximum average of log lines per second. Default: not judged. */
  maxLogLinesPerSecond?: number;
  /** Attacks until the signal aborts, or until everything is sent. */
  run(target: Target, signal: AbortSignal): Promise<AttackOutcome>;
}

export interface AttackOutcome {
  /** What it sent and received, in numbers. */
  tally: Readonly<Record<string, number>>;
  /** Every expectation that the target didn't meet. */
  problems: readonly string[];
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
