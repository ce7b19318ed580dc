import { setTimeout as delay } from "node:timers/promises";
import type { Attack, AttackOutcome } from "./attacks/attack.ts";
import type { Phase } from "./good-client/phase.ts";
import type { GoodClient } from "./good-client/start-good-client.ts";
import { type AttackEffects, problemsOf } from "./judge.ts";
import type { Target } from "./target.ts";

const RECOVERY_TIMEOUT_MS = 30_000;
const LOOK_INTERVAL_MS = 100;

interface AttackReport extends AttackEffects {
  /** Of the well-behaved client's 200s; 0 if there are none. */
  p99Ms: { before: number; during: number };
  tally: AttackOutcome["tally"];
  /** Every expectation that the target didn't meet. */
  problems: string[];
}

/** Runs one attack against a target, with a well-behaved client before, during and after it. */
export async function attackBeside(
  client: GoodClient,
  target: Target,
  attack: Attack,
  pace: { baselineMs: number; attackMs: number },
): Promise<AttackReport> {
  await client.endPhase();
  await delay(pace.baselineMs);
  const before = await client.endPhase();
  const lines = () => target.inside.output().split("\n").length;
  const linesBefore = lines();
  const startMs = performance.now();
  const { tally, problems } = await attack.run(target, AbortSignal.timeout(pace.attackMs));
  const seconds = (performance.now() - startMs) / 1_000;
  const during = await client.endPhase();
  const after = await recovered(client);
  const effects = { seconds, during, after, logLines: lines() - linesBefore };
  return {
    ...effects,
    tally,
    p99Ms: { before: before.p99Ms, during: during.p99Ms },
    problems: [...problems, ...problemsOf(attack, effects)],
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
