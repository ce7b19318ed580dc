import { REFRESH_INTERVAL_MS } from "@geolookup/gateway/metering/open-peer-usage.ts";
import type { Load } from "../load.ts";
import type { RegionPlan } from "./plan.ts";

/** From NATS through usage, within a region. */
const DELIVERY_SECONDS = 0.01;
/** An event reaches every gateway within this time (docs/decisions/authorization-cache.md). */
const REVOCATION_SECONDS = 1;
/** A cached authorization expires after this time on a gateway that is cut off from NATS. */
const CUT_OFF_SECONDS = 30;

/** How far the limits can be exceeded, and how late a change of a key takes effect. */
export interface Exactness {
  /** How far a key can exceed its quota: by the requests of this many seconds at the other gateways. Null: not bounded. */
  quotaSeconds: number | null;
  /** The same for a key with its equal share of all requests. */
  quotaRequests: number | null;
  /** The share of a key's requests that go through gateways other than the one that checks. */
  otherGatewaysShare: number;
  /** The maximum for a caller without a key, as a multiple of the hourly limit. */
  hourlyWithRedis: number;
  hourlyWithoutRedis: number;
  /** Until a revocation has taken effect everywhere, and on gateways that are cut off from NATS but not from auth. */
  revocationSeconds: number;
  revocationCutOffSeconds: number;
}

/** @param keepsUp whether usage and NATS keep up with the counts; otherwise they fall further and further behind. */
export function exactnessOf(load: Load, region: RegionPlan, keepsUp: boolean): Exactness {
  const { regions, regionDelaySeconds, gatewaysPerKey, keys } = load;
  const gateways = region.gateways * regions;
  const ofKey = Math.min(gatewaysPerKey, gateways);
  const betweenRegions = regions > 1 ? regionDelaySeconds : 0;
  const { flushSeconds } = region.gateway.publishing;
  const quotaSeconds = flushSeconds + REFRESH_INTERVAL_MS / 1_000 + DELIVERY_SECONDS + betweenRegions;
  const otherGatewaysShare = 1 - 1 / ofKey;
  const perKey = (region.requests.keyed * regions) / keys;
  const isExact = ofKey === 1;
  return {
    quotaSeconds: isExact ? 0 : keepsUp ? quotaSeconds : null,
    quotaRequests: isExact ? 0 : keepsUp ? perKey * otherGatewaysShare * quotaSeconds : null,
    otherGatewaysShare,
    hourlyWithRedis: regions,
    hourlyWithoutRedis: gateways,
    revocationSeconds: REVOCATION_SECONDS + betweenRegions,
    revocationCutOffSeconds: CUT_OFF_SECONDS + betweenRegions,
  };
}
