import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { waitFor } from "../../test/harness/wait-for.ts";
import type { Contestant } from "./contestants/contestant.ts";
import { ADDRESSES } from "./load/addresses.ts";
import type { Pace } from "./load/drive.ts";
import type { Load } from "./load/generator.ts";
import type { Generator } from "./load/start-generator.ts";
import { peakBytes } from "./processes.ts";
import type { BenchSettings } from "./settings.ts";
import { spreadOf, sumOf } from "./statistics.ts";

/** A common number for wrk, and far below the service's maximum of requests in flight. */
const CONNECTIONS = 64;
const READY_TIMEOUT_MS = 30_000;
/** For the second warm-up: with this few, each turn of the event loop has one or two requests, as at half load. */
const FEW_CONNECTIONS = 4;
/** The caches of a contestant that needs longer fill up while it is measured. */
const MAX_WARM_UP_MS = 60_000;
/**
 * How long a contestant is under load before a round measures it. Otherwise, one that shares its processes with the contestant before it
 * would find them in the CPU's caches, and the others wouldn't.
 */
const LEAD_MS = 500;
/** An address that all databases know, to check that a contestant returns what it looked up. */
const KNOWN = { address: "81.2.69.142", country: "GB" };

/** The results of a contestant so far. Lists have one value per round. */
export interface Measured {
  contestant: Contestant;
  /** At saturation: each connection sends its next request after a response. */
  saturation: {
    perSecond: number[];
    microsARequest: number[];
    /** The same for each process. */
    processMicros: number[][];
    generatorMicros: number[];
    latency: RecordableHistogram;
  };
  /** At half of that: requests arrive on schedule, no matter how many are in flight. */
  half: { perSecond: number; p99Ms: number[]; latency: RecordableHistogram };
  /** The peak of its memory, summed over its processes. */
  peakBytes: number;
  /** The share of the machine's CPU time that other processes used, in each round of either kind. */
  othersShare: number[];
  /** Every outcome but 200. */
  problems: string[];
}

/** @returns results to fill in. */
export function notMeasured(contestant: Contestant): Measured {
  return {
    contestant,
    saturation: {
      perSecond: [],
      microsARequest: [],
      processMicros: [],
      generatorMicros: [],
      latency: createHistogram(),
    },
    half: { perSecond: 0, p99Ms: [], latency: createHistogram() },
    peakBytes: Number.NaN,
    othersShare: [],
    problems: [],
  };
}

/**
 * Measures all contestants in turn, and fills in their results.
 * @param say called with each step. If it throws, measuring ends.
 */
export async function measureAll(
  measured: readonly Measured[],
  generator: Generator,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<void> {
  const warm = new Set<number>();
  for (const one of measured) {
    const { name, pids } = one.contestant;
    say(`warming up ${name}`);
    await warmUp(one, generator, settings, !pids.some((pid) => warm.has(pid)));
    for (const pid of pids) warm.add(pid);
  }
  for (let round = 0; round < settings.saturationRounds; round += 1)
    for (const one of inTurn(measured, round)) {
      say(`saturation, round ${round + 1} of ${settings.saturationRounds}: ${one.contestant.name}`);
      await measureSaturation(one, generator, settings.saturationMs);
    }
  for (let round = 0; round < settings.halfLoadRounds; round += 1)
    for (const one of inTurn(measured, round)) {
      say(`half load, round ${round + 1} of ${settings.halfLoadRounds}: ${one.contestant.name}`);
      await measureHalfLoad(one, generator, settings.halfLoadMs);
    }
  for (const one of measured) one.peakBytes = peakBytes(one.contestant.pids);
}

/** A B C, then C B A, so that none is always measured right after the same one. */
function inTurn(measured: readonly Measured[], round: number): readonly Measured[] {
  return round % 2 === 0 ? measured : measured.toReversed();
}

/** Waits until a contestant knows its last key. @throws Error if it doesn't respond correctly */
async function waitUntilServing({ contestant }: Measured): Promise<void> {
  const { name, port, requests } = contestant;
  // The last key issued: once it is known, all are.
  const path = requests.path.replace("{key}", requests.keys.at(-1) ?? "");
  const isServing = async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "X-Forwarded-For": KNOWN.address } });
    const body = await response.text();
    const isKnown = body.includes(`"${KNOWN.country}"`) || response.headers.get("x-geo-country") === KNOWN.country;
    if (response.status !== 200 || !isKnown) throw new Error(`${response.status} ${body}`);
    return true;
  };
  await waitFor(`${name} to serve`, isServing, READY_TIMEOUT_MS);
}

/**
 * Sends requests until all code is compiled, every key is known and caches are full: first many at a time, then
 * few. Work shared by all requests of a turn, such as a call to another service, happens ten times as often at half load as
 * at saturation.
 * @param isFirst whether it is the first contestant of its processes. The others find full caches.
 * @throws Error if it doesn't respond correctly
 */
async function warmUp(
  measured: Measured,
  generator: Generator,
  { warmUpMs }: BenchSettings,
  isFirst: boolean,
): Promise<void> {
  const { contestant } = measured;
  await waitUntilServing(measured);
  const { keys } = contestant.requests;
  const endMs = performance.now() + MAX_WARM_UP_MS;
  let sent = 0;
  do {
    const load = await sendLoad(contestant, generator, { kind: "closed" }, warmUpMs);
    sent += load.latency.count;
  } while (sent < keys.length || (isFirst && sent < ADDRESSES && performance.now() < endMs));
  await sendLoad(contestant, generator, { kind: "closed" }, warmUpMs, FEW_CONNECTIONS);
}

async function measureSaturation(measured: Measured, generator: Generator, durationMs: number): Promise<void> {
  const { contestant, saturation } = measured;
  await sendLoad(contestant, generator, { kind: "closed" }, LEAD_MS);
  const load = await sendLoad(contestant, generator, { kind: "closed" }, durationMs);
  const micros = load.processMicros.map((process) => process / load.latency.count);
  saturation.perSecond.push(load.perSecond);
  saturation.microsARequest.push(sumOf(micros));
  saturation.processMicros.push(micros);
  saturation.generatorMicros.push(load.generatorMicros / load.latency.count);
  saturation.latency.add(load.latency);
  addConditions(measured, load);
}

async function measureHalfLoad(measured: Measured, generator: Generator, durationMs: number): Promise<void> {
  const { half, saturation, contestant } = measured;
  half.perSecond = Math.round(spreadOf(saturation.perSecond).median / 2);
  const load = await sendLoad(contestant, generator, { kind: "open", perSecond: half.perSecond }, durationMs);
  half.p99Ms.push(load.latency.percentile(99) / 1_000);
  half.latency.add(load.latency);
  addConditions(measured, load);
}

/** At these loads, a contestant that refuses requests isn't measured correctly. */
function addConditions(measured: Measured, { othersShare, statuses, failures, unsent }: Load): void {
  const others = Object.entries(statuses).filter(([status]) => status !== "200");
  const waiting = unsent > 0 ? [["never sent", unsent] as const] : [];
  const problems = [...others, ...Object.entries(failures), ...waiting];
  measured.problems.push(...problems.map(([what, count]) => `${count} × ${what}`));
  measured.othersShare.push(othersShare);
}

function sendLoad(
  { port, pids, requests }: Contestant,
  generator: Generator,
  pace: Pace,
  durationMs: number,
  connections = CONNECTIONS,
): Promise<Load> {
  return generator.send({ port, pids, requests, connections, durationMs, pace });
}
