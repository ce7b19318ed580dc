import type { Attack } from "./attacks/attack.ts";
import type { Observed, Phase } from "./good-client/phase.ts";

/** What an attack did to a target and to the well-behaved client. */
export interface AttackEffects {
  /** How long the attack lasted. */
  seconds: number;
  /** The well-behaved client during and after it. */
  during: Phase;
  after: Phase;
  logLines: number;
}

/** How long the API and the docs host may take to recover from an attack. */
const MAX_RECOVERY_MS = 10_000;
/** Repeated log lines are summarized this often. The first of each kind is logged immediately, so shorter attacks count as this long. */
const LOG_WINDOW_SECONDS = 10;

/** The expectations of every attack that weren't met. Response times are reported, not judged. */
export function problemsOf(attack: Attack, { seconds, during, after, logLines }: AttackEffects): string[] {
  const allowed = new Set(["200", ...(attack.allowedStatuses ?? []).map(String)]);
  const problems = [
    ...unexpected("the well-behaved client, during the attack", during.api, allowed),
    ...(attack.docsMayFail ? [] : unexpected("docs, during the attack", during.docs, new Set(["200"]))),
    ...unanswered("during the attack", during),
    ...notRecovered("the API", after.api),
    ...notRecovered("docs", after.docs),
  ];
  const limit = attack.maxLogLinesPerSecond;
  const allowedLines = (limit ?? Number.POSITIVE_INFINITY) * Math.max(seconds, LOG_WINDOW_SECONDS);
  if (logLines > allowedLines)
    problems.push(`${logLines} log lines in ${seconds.toFixed(1)} s; the limit is ${limit} a second`);
  return problems;
}

function unexpected(who: string, { statuses, errors }: Observed, allowed: ReadonlySet<string>): string[] {
  const others = Object.entries(statuses).filter(([status]) => !allowed.has(status));
  return [...others, ...Object.entries(errors)].map(([what, count]) => `${who}: ${count} × ${what}`);
}

function unanswered(when: string, phase: Phase): string[] {
  return phase.unanswered === 0
    ? []
    : [`${phase.unanswered} requests of the well-behaved client got no response ${when}`];
}

function notRecovered(what: string, { goodAfterMs }: Observed): string[] {
  if (goodAfterMs === null) return [`${what} didn't recover within 30 s`];
  return goodAfterMs > MAX_RECOVERY_MS ? [`${what} took ${Math.round(goodAfterMs)} ms to recover`] : [];
}
