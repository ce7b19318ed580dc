import { setTimeout as delay } from "node:timers/promises";
import { Histogram } from "../bench/load/histogram.ts";
import type { AttackReport } from "./attack-report.ts";
import type { Attack } from "./attacks/attack.ts";
import type { Phase } from "./good-client/phase.ts";
import { type GoodClient, startGoodClient } from "./good-client/start-good-client.ts";
import { problemsOf } from "./judge.ts";
import { type Readings, readMetrics } from "./metrics.ts";
import type { Target } from "./target.ts";

const RECOVERY_TIMEOUT_MS = 30_000;
const LOOK_INTERVAL_MS = 100;

/** How long each phase lasts, and how many requests the well-behaved client sends. */
export interface Pace {
  baselineMs: number;
  attackMs: number;
  perSecond: number;
  docsPerSecond: number;
}

/** Runs one attack against a target, with a well-behaved client before, during and after it. */
export async function runAttack(target: Target, attack: Attack, pace: Pace): Promise<AttackReport> {
  await using client = await startGoodClient(target, pace);
  return await attackBeside(client, target, attack, pace);
}

/** The same with a client that is already running. */
export async function attackBeside(
  client: GoodClient,
  target: Target,
  attack: Attack,
  pace: Pick<Pace, "baselineMs" | "attackMs">,
): Promise<AttackReport> {
  await client.endPhase();
  await delay(pace.baselineMs);
  const before = await client.endPhase();
  const insideBefore = await lookInside(target);
  const startMs = performance.now();
  const { tally, problems } = await attack.run(target, AbortSignal.timeout(pace.attackMs));
  const seconds = (performance.now() - startMs) / 1_000;
  const during = await client.endPhase();
  const after = await recovered(client);
  const insideAfter = await lookInside(target);
  const p99Ms = { before: p99Of(before), during: p99Of(during) };
  const inside =
    insideBefore && insideAfter
      ? {
          cpuShare: cpuShares(insideBefore.readings, insideAfter.readings, (performance.now() - startMs) / 1_000),
          residentBytes: [...insideAfter.readings.residentBytes.values()].reduce((sum, bytes) => sum + bytes, 0),
          logLines: insideAfter.lines - insideBefore.lines,
        }
      : null;
  const met = { seconds, before, during, after, p99Ms, tally, inside };
  return {
    ...{ attack: attack.name, about: attack.about, target: target.name },
    ...met,
    problems: [...problems, ...problemsOf(attack, met)],
  };
}

/** The phase after an attack, which ends on recovery, or after 30 s without one. */
async function recovered(client: GoodClient): Promise<Phase> {
  const deadlineMs = performance.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    const { api, docs } = await client.look();
    const isGood = api.goodAfterMs !== null && docs.goodAfterMs !== null;
    if (isGood || performance.now() > deadlineMs) return client.endPhase();
    await delay(LOOK_INTERVAL_MS);
  }
}

async function lookInside({ inside }: Target): Promise<{ readings: Readings; lines: number } | null> {
  if (inside === null) return null;
  return { readings: await readMetrics(inside.opsUrls), lines: inside.output().split("\n").length };
}

function cpuShares(before: Readings, after: Readings, seconds: number): Record<string, number> {
  const shares = Array.from(after.cpuSeconds, ([service, used]) => {
    return [service, (used - (before.cpuSeconds.get(service) ?? 0)) / seconds] as const;
  });
  return Object.fromEntries(shares);
}

function p99Of({ latency }: Phase): number {
  return new Histogram(latency).percentileMs(99);
}
