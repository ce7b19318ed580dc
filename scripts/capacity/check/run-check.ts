import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { type Costs, measureLoad, microsOf } from "../../bench/capacity/measure-load.ts";
import {
  allRespond,
  type CapacityTestbed,
  type MeasuredCluster,
  startMeasuredCluster,
} from "../../bench/capacity/measured-cluster.ts";
import { startYardstick, type Yardstick } from "../../bench/capacity/yardstick.ts";
import { KEYED_PATH, KEYLESS_PATH } from "../../bench/contestants/contestant.ts";
import { findDatabases } from "../../bench/find-databases.ts";
import { issueKeys, publishKeys } from "../../bench/keys.ts";
import { type Generator, startGenerator } from "../../bench/load/start-generator.ts";
import { spreadOf } from "../../bench/statistics.ts";
import { FIGURE_VALUES } from "../figures.ts";
import { type CheckedLoad, compare } from "./compare.ts";
import { type CheckLoad, predict, type Quantities, type Quantity } from "./predict.ts";

const ROUNDS = 5;
/** Gateways publish every second: with the time it takes to read the counters, twice. Redis and geo get messages continuously. */
const ROUND_MS = { keyed: 1_900, keyless: 1_200 };
const WARM_UP_MS = 1_000;
const WARM_UP_RUNS = 3;
const CONNECTIONS = 32;
const KEYS = 500;

const CPU: readonly Quantity[] = ["totalMicros", "gatewayMicros", "geoMicros"];
const MESSAGES = { keyed: ["geoMessages", "natsIn", "natsOut"], keyless: ["geoMessages", "redisCommands"] } as const;

/** On two cores, four of each compete for them, so their CPU time isn't meaningful. */
const SIZES = [
  { gateways: 1, geo: 1, perGateway: 500, hasCpu: true },
  { gateways: 2, geo: 2, perGateway: 400, hasCpu: true },
  { gateways: 4, geo: 4, perGateway: 100, hasCpu: false },
];

/**
 * Runs clusters of several sizes under small loads and compares their CPU time and messages with the model's.
 * @param say called with each step.
 * @throws StartError if there are no databases; Error if something can't be started, or a request fails.
 */
export async function runCheck(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ text: string; isConfirmed: boolean }> {
  const dataDir = resolve(environment.DATA_DIR || "data");
  const databases = smallest(await findDatabases(environment, dataDir));
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-capacity-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const testbed = { folder, databases, geoData: geoDataFolder(dataDir), issued: issueKeys(KEYS, folder) };
  const yardstick = opened.use(await startYardstick());
  const most = Math.max(...SIZES.map(({ gateways }) => gateways));
  const generators: Generator[] = [];
  for (let count = 0; count < most; count += 1) generators.push(opened.use(await startGenerator()));
  const [generator] = generators;
  if (!generator) throw new Error("there is no load generator");
  // Until Node has compiled the yardstick server's code, its requests cost several times as much.
  for (let run = 1; run <= WARM_UP_RUNS; run += 1) await yardstick.measure(generator);
  const checked: CheckedLoad[] = [];
  for (const { hasCpu, ...size } of SIZES) {
    say(`${size.gateways} gateways, ${size.geo} geo nodes`);
    checked.push(...(await checkSize({ ...size, hasCpu, testbed, generators, yardstick, say })));
  }
  return compare(checked);
}

/** Geo nodes check a database before they use it, which takes seconds. A lookup is a small part of the measured cost. */
function smallest(databases: readonly string[]): string[] {
  return databases.toSorted((a, b) => statSync(a).size - statSync(b).size).slice(0, 1);
}

interface SizeCheck extends Pick<CheckLoad, "gateways" | "geo" | "perGateway"> {
  hasCpu: boolean;
  testbed: CapacityTestbed;
  generators: readonly Generator[];
  yardstick: Yardstick;
  say: (line: string) => void;
}

async function checkSize({ gateways, geo, perGateway, hasCpu, testbed, generators, yardstick, say }: SizeCheck) {
  await using cluster = await startMeasuredCluster(testbed, `${gateways}-${geo}`, { gateways, geo });
  const { keys, events } = testbed.issued;
  await publishKeys(cluster.natsUrl, events);
  const plans = { keyless: { path: KEYLESS_PATH, keys: [] }, keyed: { path: KEYED_PATH, keys } };
  await allRespond(cluster, plans.keyed);
  const checked: CheckedLoad[] = [];
  // Without keys first: counts are still published a second after the last request with a key.
  for (const kind of ["keyless", "keyed"] as const) {
    const load: CheckLoad = { gateways, geo, perGateway, keys: KEYS, isKeyed: kind === "keyed" };
    const send = (durationMs: number, isClosed = false) =>
      measureLoad(cluster, generators, {
        ...{ requests: plans[kind], gateways, connections: CONNECTIONS, durationMs },
        pace: isClosed ? { kind: "closed" } : { kind: "open", perSecond: perGateway },
      });
    await send(WARM_UP_MS, true);
    await send(WARM_UP_MS);
    if (kind === "keyless") await settled(cluster);
    const measured: { costs: Costs; yardstickMicros: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      say(`${gateways} × ${geo}, ${kind}, round ${round} of ${ROUNDS}`);
      const { micros, result } = await yardstick.measureBeside(ROUND_MS[kind], () => send(ROUND_MS[kind]));
      measured.push({ costs: result, yardstickMicros: micros });
    }
    const speed =
      spreadOf(measured.map(({ yardstickMicros }) => yardstickMicros)).median / FIGURE_VALUES.yardstickBesideMicros;
    const rounds = measured.map(({ costs }) => {
      const rate = costs.requests / costs.seconds / gateways;
      return {
        predicted: atSpeed(predict({ ...load, perGateway: rate }, FIGURE_VALUES), speed),
        measured: quantitiesOf(costs),
      };
    });
    say(`yardstick ${measured.map(({ yardstickMicros }) => yardstickMicros.toFixed(1)).join(" ")}`);
    const quantities = [...(hasCpu ? CPU : []), ...MESSAGES[kind]];
    const latenessMs = spreadOf(measured.map(({ costs }) => costs.latenessMs)).median;
    checked.push({ load, rounds, quantities, latenessMs });
    say(`requests sent ${latenessMs.toFixed(1)} ms late`);
    for (const quantity of quantities) say(lineOf(rounds, quantity));
  }
  return checked;
}

/** The figures of the rounds, printed before the table because a later size may fail. */
function lineOf(rounds: readonly { predicted: Quantities; measured: Quantities }[], quantity: Quantity): string {
  const pairs = rounds.map((round) => `${round.measured[quantity].toFixed(0)}/${round.predicted[quantity].toFixed(0)}`);
  return `measured/predicted ${quantity}: ${pairs.join(" ")}`;
}

/** Waits until the counts of the first requests are published. */
async function settled(cluster: MeasuredCluster): Promise<void> {
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    now = (await cluster.messages()).usageMessages;
  }
}

/** Predicted CPU time on this machine at this moment. */
function atSpeed(predicted: Quantities, speed: number): Quantities {
  const { totalMicros, gatewayMicros, geoMicros, ...messages } = predicted;
  return {
    ...messages,
    totalMicros: totalMicros * speed,
    gatewayMicros: gatewayMicros * speed,
    geoMicros: geoMicros * speed,
  };
}

function quantitiesOf(costs: Costs): Quantities {
  const { requests, micros, perSecond } = costs;
  let all = 0;
  for (const value of micros.values()) all += value;
  const { geoMessages, redisCommands, natsIn, natsOut } = perSecond;
  return {
    totalMicros: all / requests,
    gatewayMicros: microsOf(costs, "gateway") / requests,
    geoMicros: microsOf(costs, "geo") / requests,
    ...{ geoMessages, redisCommands, natsIn, natsOut },
  };
}
