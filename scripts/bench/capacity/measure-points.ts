import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { KEYED_PATH, KEYLESS_PATH, type Testbed } from "../contestants/contestant.ts";
import { publishKeys } from "../keys.ts";
import type { Pace } from "../load/drive.ts";
import type { RequestPlan } from "../load/requests.ts";
import type { Generator } from "../load/start-generator.ts";
import type { Point, PointName } from "./derive-costs.ts";
import { type Costs, measured, measureIdle, measureLoad } from "./measure-load.ts";
import { allRespond, type CapacityTestbed, startMeasuredCluster } from "./measured-cluster.ts";
import type { Yardstick } from "./yardstick.ts";

const ROUNDS = 3;
const WARM_UP_MS = 1_000;
const BUSY_MS = 900;
const STEADY_MS = 1_000;
/** Far below saturation. Steady: a message to geo carries one or two lookups; sparse: hardly ever more than one. */
const STEADY: Pace = { kind: "open", perSecond: 800 };
const SPARSE: Pace = { kind: "open", perSecond: 300 };
/** Requests with keys that auth refuses: few in a batch, and many. */
const REFUSED_PER_SECOND = { few: 150, many: 2_000 };
const CONNECTIONS = 64;
/** Enough to use every shard, few enough to cost nothing. */
const FEW_KEYS = 500;
/** Published in each round, to measure what key events cost. */
const PUBLISHED_KEYS = 8_000;
export const ISSUED_KEYS = FEW_KEYS + ROUNDS * PUBLISHED_KEYS;

const BUSY: Pace = { kind: "closed" };

/** State shared by the measurements. They fill in `points`. */
export interface PointsRun {
  testbed: CapacityTestbed;
  points: Record<PointName, Point[]>;
  generator: Generator;
  yardstick: Yardstick;
  /** The yardstick beside each small load: see Yardstick.measureBeside. */
  besideMicros: number[];
  say: (line: string) => void;
}

/** @returns what publishing a key event cost this process, in microseconds. */
export async function measureOneGateway(run: PointsRun): Promise<number> {
  const { testbed, points, generator, yardstick, besideMicros, say } = run;
  say("starting a cluster with one gateway");
  await using cluster = await startMeasuredCluster(testbed, "one", { gateways: 1, geo: 1 });
  const { keys, events } = testbed.issued;
  await publishKeys(cluster.natsUrl, events.slice(0, FEW_KEYS));
  const keyed = { path: KEYED_PATH, keys: keys.slice(0, FEW_KEYS) };
  const keyless = { path: KEYLESS_PATH, keys: [] };
  const refused = refusedKeys(testbed);
  await allRespond(cluster, keyed);
  const send: Send = (requests, pace, more = {}) =>
    measureLoad(cluster, [generator], {
      ...{ requests, pace, gateways: 1, connections: CONNECTIONS, durationMs: pace === BUSY ? BUSY_MS : STEADY_MS },
      ...more,
    });
  const beside = (requests: RequestPlan, pace: Pace) => async () => {
    const { micros, result } = await yardstick.measureBeside(STEADY_MS, () => send(requests, pace));
    besideMicros.push(micros);
    return result;
  };
  const refusedAt = (perSecond: number) => () =>
    send({ path: KEYED_PATH, keys: refused }, { kind: "open", perSecond }, { status: 401 });

  let publishMicros = 0;
  let published = FEW_KEYS;
  const publish = async () => {
    const chunk = events.slice(published, published + PUBLISHED_KEYS);
    published += chunk.length;
    return measured(cluster, async () => {
      const { user, system } = process.cpuUsage();
      await publishKeys(cluster.natsUrl, chunk);
      const after = process.cpuUsage();
      publishMicros = (after.user + after.system - user - system) / chunk.length;
      await allRespond(cluster, { path: KEYED_PATH, keys: keys.slice(0, published) });
      return { requests: chunk.length, latenessMs: 0 };
    });
  };
  const loads: Partial<Record<PointName, () => Promise<Costs>>> = {
    keyEvents: publish,
    keyedBusy: () => send(keyed, BUSY),
    keyedSteady: beside(keyed, STEADY),
    keyedSparse: beside(keyed, SPARSE),
    keylessBusy: () => send(keyless, BUSY),
    keylessSteady: beside(keyless, STEADY),
    keylessSparse: beside(keyless, SPARSE),
    idle: () => measureIdle(cluster, STEADY_MS),
    refusedFew: refusedAt(REFUSED_PER_SECOND.few),
    refusedMany: refusedAt(REFUSED_PER_SECOND.many),
  };
  say("warming up");
  for (const requests of [keyed, keyless]) await send(requests, BUSY, { durationMs: WARM_UP_MS });
  await send(keyed, STEADY, { durationMs: WARM_UP_MS });
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const [name, load] of Object.entries(loads)) {
      say(`round ${round} of ${ROUNDS}: ${name}`);
      points[name as PointName].push(await measurePoint({ yardstick, generator, load, say }));
    }
  return publishMicros;
}

/** Measures the cost of the second of two gateways while the first one serves all requests. */
export async function measureTwoGateways({ testbed, points, generator, yardstick, say }: PointsRun): Promise<void> {
  say("starting a cluster with two gateways");
  await using cluster = await startMeasuredCluster(testbed, "two", { gateways: 2, geo: 1 });
  const requests = { path: KEYLESS_PATH, keys: [] };
  const send = (durationMs: number) =>
    measureLoad(cluster, [generator], { requests, durationMs, gateways: 1, connections: CONNECTIONS, pace: BUSY });
  say("warming up");
  await allRespond(cluster, requests);
  await send(WARM_UP_MS);
  const loads: Partial<Record<PointName, () => Promise<Costs>>> = {
    twoIdle: () => measureIdle(cluster, STEADY_MS),
    twoKeyless: () => send(BUSY_MS),
  };
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const [name, load] of Object.entries(loads)) {
      say(`round ${round} of ${ROUNDS}: ${name}`);
      points[name as PointName].push(await measurePoint({ yardstick, generator, load, say }));
    }
}

const ATTEMPTS = 3;

/** If requests fail because the machine is too busy, the load is repeated. */
async function measurePoint({
  yardstick,
  generator,
  load,
  say,
}: Pick<PointsRun, "yardstick" | "generator" | "say"> & { load: () => Promise<Costs> }): Promise<Point> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const yardstickMicros = await yardstick.measure(generator);
      return { costs: await load(), yardstickMicros };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      say(`again: ${(error as Error).message}`);
    }
  }
}

type Send = (requests: RequestPlan, pace: Pace, more?: { durationMs?: number; status?: number }) => Promise<Costs>;

/** Keys that auth refuses, more than are sent, so that none is sent twice. */
function refusedKeys({ issued }: Testbed): string[] {
  const { id } = parseRing(readFileSync(issued.signingKeysFile, "utf8")).active;
  const stranger = { ...parseRing(newRingText(randomBytes)).active, id };
  const count = (1.2 * ROUNDS * (REFUSED_PER_SECOND.few + REFUSED_PER_SECOND.many) * STEADY_MS) / 1_000;
  return Array.from({ length: Math.ceil(count) }, () => mintKey("publishable", stranger, randomBytes));
}
