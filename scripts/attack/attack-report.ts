import type { AttackOutcome } from "./attacks/attack.ts";
import type { Phase } from "./good-client/phase.ts";

/** What an attack did to a target and to its good client. */
export interface AttackReport {
  attack: string;
  about: string;
  target: string;
  /** How long the attack lasted. */
  seconds: number;
  /** The good client before, during and after it. */
  before: Phase;
  during: Phase;
  after: Phase;
  /** Of the good client's 200s; NaN without any. */
  p99Ms: { before: number; during: number };
  tally: AttackOutcome["tally"];
  /** What the target's processes used, by service; null when their ops ports aren't known. */
  inside: { cpuShare: Record<string, number>; residentBytes: number; logLines: number } | null;
  /** Each way in which the target didn't hold. */
  problems: string[];
}
