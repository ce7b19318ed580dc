import type { AttackOutcome } from "./attacks/attack.ts";
import type { Phase } from "./good-client/phase.ts";

/** The effect of an attack on a target and on the well-behaved client. */
export interface AttackReport {
  attack: string;
  about: string;
  target: string;
  /** How long the attack lasted. */
  seconds: number;
  /** The well-behaved client before, during and after it. */
  before: Phase;
  during: Phase;
  after: Phase;
  /** Of the well-behaved client's 200s; NaN if there are none. */
  p99Ms: { before: number; during: number };
  tally: AttackOutcome["tally"];
  /** CPU time and memory of the target's processes, by service; null if their ops ports aren't known. */
  inside: { cpuShare: Record<string, number>; residentBytes: number; logLines: number } | null;
  /** Every expectation that the target didn't meet. */
  problems: string[];
}
