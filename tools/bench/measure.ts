import { waitFor } from "../../test/harness/wait-for.ts";
import type { Contestant } from "./contestants/contestant.ts";
import { ADDRESSES } from "./load/addresses.ts";
import type { Pace } from "./load/drive.ts";
import { Histogram } from "./load/histogram.ts";
import type { Generator, Load } from "./load/start-generator.ts";
import type { BenchSettings } from "./settings.ts";
import { spreadOf } from "./statistics.ts";

/** A common number for wrk, and far below the service's maximum of requests in flight. */
const CONNECTIONS = 64;
const READY_TIMEOUT_MS = 30_000;
/** For the second warm-up: with this few, each turn of the event loop has one or two requests, as at half load. */
const FEW_CONNECTIONS = 4;
/** The caches of a contestant that needs longer fill up while it is measured. */
const MAX_WARM_UP_MS = 15_000;
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
    latency: Histogram;
  };
  /** At half of that: requests arrive on schedule, no matter how many are in flight. */
  half: { perSecond: number; p99Ms: number[]; microsARequest: number[]; latency: Histogram; lateness: Histogram };
  /** The share of the machine's CPU time that other processes used, in each round of either kind. */
  othersShare: number[];
  /** Every outcome but 200. */
  problems: string[];
}

export function notMeasured(contestant: Contestant): Measured {
  return {
    contestant,
    saturation: { perSecond: [], microsARequest: [], processMicros: [], generatorMicros: [], latency: new Histogram() },
    half: { perSecond: 0, p99Ms: [], microsARequest: [], latency: new Histogram(), lateness: new Histogram() },
    othersShare: [],
    problems: [],
  };
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
export async function warmUp(
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

/** The load at saturation, behind its lead. */
export async function saturate(contestant: Contestant, generator: Generator, durationMs: number): Promise<Load> {
  await sendLoad(contestant, generator, { kind: "closed" }, LEAD_MS);
  return sendLoad(contestant, generator, { kind: "closed" }, durationMs);
}

export async function measureSaturation(measured: Measured, generator: Generator, durationMs: number): Promise<void> {
  const { contestant, saturation } = measured;
  const load = await saturate(contestant, generator, durationMs);
  saturation.perSecond.push(load.perSecond);
  saturation.microsARequest.push(load.contestantMicros / load.latency.count);
  saturation.processMicros.push(load.processMicros.map((micros) => micros / load.latency.count));
  saturation.generatorMicros.push(load.generatorMicros / load.latency.count);
  saturation.latency.add(load.latency);
  measured.othersShare.push(load.othersShare);
  measured.problems.push(...problemsOf(load));
}

export async function measureHalfLoad(measured: Measured, generator: Generator, durationMs: number): Promise<void> {
  const { half } = measured;
  half.perSecond = Math.round(spreadOf(measured.saturation.perSecond).median / 2);
  const pace = { kind: "open", perSecond: half.perSecond } as const;
  const load = await sendLoad(measured.contestant, generator, pace, durationMs);
  half.p99Ms.push(load.latency.percentileMs(99));
  half.microsARequest.push(load.contestantMicros / load.latency.count);
  half.latency.add(load.latency);
  half.lateness.add(load.lateness);
  measured.othersShare.push(load.othersShare);
  measured.problems.push(...problemsOf(load));
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

/** At these loads, a contestant that refuses requests isn't measured correctly. */
function problemsOf({ statuses, failures, unsent }: Load): string[] {
  const others = Object.entries(statuses).filter(([status]) => status !== "200");
  const waiting = unsent > 0 ? [["never sent", unsent] as const] : [];
  return [...others, ...Object.entries(failures), ...waiting].map(([what, count]) => `${count} × ${what}`);
}
