import { MAX_CACHED_KEYS } from "@geolookup/gateway/authorization/authorization-cache.ts";
import type { Figures } from "../figures.ts";
import { batchesPerSecond } from "./batching.ts";
import { type Publishing, publishingOf, used } from "./publishing.ts";

/** The requests to one gateway, and the updates that it gets from the others. Rates are per second. */
export interface GatewayLoad {
  keyed: number;
  keyless: number;
  unknown: number;
  /** Keys in the requests that it receives. */
  keys: number;
  changes: number;
  /** Requests without a key that other gateways of the region admit: Redis reports each. */
  updatesOfOthers: number;
  /** Keys whose total grew at other gateways. */
  grownAtOthers: number;
  geoNodes: number;
}

/** The messages of one gateway per second, and its CPU time, in microseconds per second. */
export interface GatewayWork {
  /** The part that is divided among all gateways. */
  requestMicros: number;
  /** The part that each gateway has: following what the others do, and streams to all geo nodes. */
  followMicros: number;
  streamMicros: number;
  totalMicros: number;
  geoMessages: number;
  redisScripts: number;
  /** The share of requests with a key whose authorization isn't cached, because there are too many keys. */
  missShare: number;
  /** Keys that auth has to check: refused ones, and those that aren't cached. */
  authChecks: number;
  authCalls: number;
  publishing: Publishing;
}

/** Each gateway fetches auth's rules once a second. */
const RULES_CALLS = 1;
/** A stream to a geo node is replaced after this time (`services/gateway/src/upstream/request-stream.ts`). */
export const STREAM_SECONDS = 3;

export function gatewayWork(load: GatewayLoad, figures: Figures): GatewayWork {
  const { keyed, keyless, unknown, keys, changes, updatesOfOthers, grownAtOthers, geoNodes } = load;
  const geoMessages = batchesPerSecond(keyed + keyless, figures.geoGapMs);
  const redisScripts = batchesPerSecond(keyless, figures.redisGapMs);
  const publishing = publishingOf(keyed, keys);
  // All keys are used equally often, so the share of keys that fit into the cache is the hit rate.
  const missShare = Math.max(0, 1 - MAX_CACHED_KEYS / keys);
  const misses = keyed * missShare + Math.min(keyed, changes * used(keyed, keys));
  const authChecks = unknown + misses;
  const authCalls = RULES_CALLS + batchesPerSecond(authChecks, figures.authGapMs);
  const requestMicros =
    keyed * figures.gatewayKeyedMicros +
    keyless * figures.gatewayKeylessMicros +
    authChecks * figures.gatewayRefusedMicros +
    geoMessages * figures.gatewayGeoMessageMicros +
    redisScripts * figures.gatewayRedisScriptMicros;
  const publishMicros =
    publishing.messagesPerSecond * figures.gatewayUsageMessageMicros +
    publishing.countsPerSecond * figures.gatewayCountMicros;
  const streamMicros = (geoNodes / STREAM_SECONDS) * figures.gatewayCallMicros;
  const followMicros =
    changes * figures.gatewayKeyEventMicros +
    updatesOfOthers * figures.gatewayCallerUpdateMicros +
    grownAtOthers * figures.gatewayPeerTotalMicros;
  const totalMicros = figures.gatewayIdleMicros + requestMicros + publishMicros + followMicros + streamMicros;
  return {
    ...{ requestMicros, followMicros, streamMicros, totalMicros },
    ...{ geoMessages, redisScripts, missShare, authChecks, authCalls, publishing },
  };
}
