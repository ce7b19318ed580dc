import type { Figures } from "../figures.ts";
import type { Load } from "../load.ts";
import { batchesPerSecond, WAKE_GAP_MS } from "./batching.ts";
import { type GatewayWork, gatewayWork, STREAM_SECONDS } from "./gateway.ts";
import { used } from "./publishing.ts";

/** At least two of each, so that one may fail. */
const MIN_PROCESSES = 2;
const MAX_STEPS = 100;
const CORE_MICROS = 1e6;

/** Processes of a service. `eachMicros` is the work of each, regardless of their number; `totalMicros` that of all. */
interface Nodes {
  nodes: number;
  eachMicros: number;
  totalMicros: number;
}

/** The processes of one region and their work. Rates are per second, CPU time is in microseconds per second. */
export interface RegionPlan {
  gateways: number;
  gateway: GatewayWork;
  requests: { keyed: number; keyless: number; unknown: number };
  geo: Nodes & { messages: number };
  auth: Nodes & { checks: number; calls: number };
  /** `foldMicros`: the time that each node spends on reading all counts. More nodes don't reduce it. */
  usage: Nodes & { foldMicros: number; reportMicros: number };
  redis: { commands: number; totalMicros: number; callers: number };
  nats: {
    inMessages: number;
    outMessages: number;
    inBytes: number;
    outBytes: number;
    /** Messages that the usage stream of the region stores, from its own gateways. */
    storedMessages: number;
    totalMicros: number;
  };
}

/** Plans one of a load's regions, all of which are equal. */
export function planRegion(load: Load, figures: Figures): RegionPlan {
  let geoNodes = MIN_PROCESSES;
  let region = planWithGeo(load, geoNodes, figures);
  for (let step = 0; step < MAX_STEPS && region.geo.nodes !== geoNodes; step += 1) {
    geoNodes = region.geo.nodes;
    region = planWithGeo(load, geoNodes, figures);
  }
  return region;
}

/** Processes of each service. */
export interface Sizes {
  gateways: number;
  geo: number;
  auth: number;
  usage: number;
}

/** The work of these processes under a load, even if it exceeds their capacity. */
export function workOf(load: Load, sizes: Sizes, figures: Figures): RegionPlan {
  const gateway = workOfEach(load, sizes.gateways, sizes.geo, figures);
  return { gateways: sizes.gateways, gateway, ...servicesOf(load, sizes.gateways, gateway, figures, sizes) };
}

function planWithGeo(load: Load, geoNodes: number, figures: Figures): RegionPlan {
  const usable = load.utilization * CORE_MICROS;
  let gateways = MIN_PROCESSES;
  let gateway = workOfEach(load, gateways, geoNodes, figures);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { requestMicros, totalMicros } = gateway;
    const free = freeFor(totalMicros - requestMicros, usable);
    const forConnections = load.connections / load.regions / (figures.maxConnections * load.utilization);
    const needed = Math.max(MIN_PROCESSES, Math.ceil((gateways * requestMicros) / free), Math.ceil(forConnections));
    if (needed === gateways) break;
    gateways = needed;
    gateway = workOfEach(load, gateways, geoNodes, figures);
  }
  return { gateways, gateway, ...servicesOf(load, gateways, gateway, figures) };
}

/**
 * The part of a process that remains for shared work, after the work that each process repeats. At least half: if less remains,
 * more processes don't help, and model/limits.ts reports that.
 */
function freeFor(eachMicros: number, usable: number): number {
  return Math.max(usable - eachMicros, usable / 2);
}

function requestsOf({ requestsPerSecond, regions, keylessShare, unknownShare }: Load) {
  const all = requestsPerSecond / regions;
  const [keyless, unknown] = [all * keylessShare, all * unknownShare];
  return { keyless, unknown, keyed: Math.max(0, all - keyless - unknown) };
}

function workOfEach(load: Load, gateways: number, geoNodes: number, figures: Figures): GatewayWork {
  const { keys, gatewaysPerKey, regions, changesPerSecond } = load;
  const { keyed, keyless, unknown } = requestsOf(load);
  const all = gateways * regions;
  const ofKey = Math.min(gatewaysPerKey, all);
  const each = {
    keyed: keyed / gateways,
    keyless: keyless / gateways,
    unknown: unknown / gateways,
    keys: (keys * ofKey) / all,
    changes: changesPerSecond,
    updatesOfOthers: keyless * (1 - 1 / gateways),
    grownAtOthers: 0,
    geoNodes,
  };
  const { publishing } = gatewayWork(each, figures);
  // Usage reports a key once, no matter how many gateways counted it.
  const grown = keys * used(publishing.grownPerSecond * (all - 1), keys);
  return gatewayWork({ ...each, grownAtOthers: all > 1 ? grown : 0 }, figures);
}

/** @param sizes the number of processes; by default, as many as needed. */
function servicesOf(load: Load, gateways: number, gateway: GatewayWork, figures: Figures, sizes?: Sizes) {
  const { regions, changesPerSecond, utilization, keys, requestsPerCaller } = load;
  const requests = requestsOf(load);
  const usable = utilization * CORE_MICROS;
  const all = gateways * regions;
  const { publishing } = gateway;

  const messages = gateways * gateway.geoMessages;
  const lookupMicros =
    (requests.keyed + requests.keyless) * figures.geoLookupMicros + messages * figures.geoMessageMicros;
  const perGeoNode = figures.geoIdleMicros + (gateways / STREAM_SECONDS) * figures.geoCallMicros;
  const geo = nodesFor(lookupMicros, perGeoNode, usable, sizes?.geo);

  const [checks, calls] = [gateways * gateway.authChecks, gateways * gateway.authCalls];
  const perAuthNode = figures.authIdleMicros + changesPerSecond * figures.authKeyEventMicros;
  const auth = nodesFor(
    checks * figures.authCheckMicros + calls * figures.authCallMicros,
    perAuthNode,
    usable,
    sizes?.auth,
  );

  const foldMicros =
    all *
    (publishing.messagesPerSecond * figures.usageMessageMicros + publishing.countsPerSecond * figures.usageCountMicros);
  const grown = all > 1 ? keys * used(publishing.grownPerSecond * (all - 1), keys) : 0;
  const reportMicros = gateways * (figures.usageCallMicros + grown * figures.usageReportedTotalMicros);
  const usage = nodesFor(reportMicros, figures.usageIdleMicros + foldMicros, usable, sizes?.usage);

  const scripts = gateways * gateway.redisScripts;
  const isShared = gateways > 1;
  const commands = scripts * (isShared ? 5 : 4) + 2 * requests.keyless + gateways * 4 * 4;
  const redisMicros =
    figures.redisIdleMicros +
    scripts * figures.redisScriptMicros +
    batchesPerSecond(scripts, WAKE_GAP_MS) * figures.redisWakeMicros +
    requests.keyless * (figures.redisCallerMicros + (isShared ? gateways * figures.redisCallerUpdateMicros : 0));

  const nats = natsOf(load, { gateways, auth: auth.nodes, usage: usage.nodes }, publishing, figures);
  return {
    requests,
    geo: { ...geo, messages },
    auth: { ...auth, checks, calls },
    usage: { ...usage, foldMicros, reportMicros },
    redis: { commands, totalMicros: redisMicros, callers: (requests.keyless * 3_600) / requestsPerCaller },
    nats,
  };
}

/** Nodes that share some work, besides the work that each repeats. If the latter is too much, more nodes don't help. */
function nodesFor(sharedMicros: number, eachMicros: number, usable: number, fixed?: number) {
  const needed =
    eachMicros < usable
      ? Math.max(MIN_PROCESSES, Math.ceil(sharedMicros / freeFor(eachMicros, usable)))
      : MIN_PROCESSES;
  const nodes = fixed ?? needed;
  return { nodes, eachMicros, totalMicros: sharedMicros + nodes * eachMicros };
}

function natsOf(
  { regions, changesPerSecond }: Load,
  processes: { gateways: number; auth: number; usage: number },
  publishing: GatewayWork["publishing"],
  figures: Figures,
): RegionPlan["nats"] {
  const { gateways, auth, usage } = processes;
  const { messagesPerSecond, bytesPerMessage } = publishing;
  const own = gateways * messagesPerSecond;
  const everywhere = own * regions;
  const followers = gateways + auth;
  // Each follower of a stream asks for its state once a second. Usage follows two streams.
  const checks = followers + 2 * usage;
  const pulls = (usage * everywhere) / figures.usageBatchMessages;
  const inMessages = everywhere + changesPerSecond + checks + pulls;
  const outMessages = own + usage * everywhere + changesPerSecond * (1 + followers) + checks;
  const inBytes = everywhere * bytesPerMessage + changesPerSecond * figures.keyEventBytes + checks * figures.checkBytes;
  const outBytes =
    usage * everywhere * bytesPerMessage +
    changesPerSecond * followers * figures.keyEventBytes +
    (own + checks) * figures.checkBytes;
  const messages = inMessages + outMessages;
  const totalMicros =
    figures.natsIdleMicros +
    messages * figures.natsMessageMicros +
    batchesPerSecond(messages, WAKE_GAP_MS) * figures.natsWakeMicros;
  return { inMessages, outMessages, inBytes, outBytes, storedMessages: own, totalMicros };
}
