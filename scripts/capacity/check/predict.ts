import type { Figures } from "../figures.ts";
import type { Load } from "../load.ts";
import { workOf } from "../model/plan.ts";

/** A load of the check: every gateway gets the same number of requests, with or without a key. */
export interface CheckLoad {
  gateways: number;
  geo: number;
  perGateway: number;
  keys: number;
  isKeyed: boolean;
}

/** The quantities that are predicted and measured. */
export interface Quantities {
  /** CPU time per request in microseconds: all processes, gateways, geo nodes. */
  totalMicros: number;
  gatewayMicros: number;
  geoMicros: number;
  /** Per second. */
  geoMessages: number;
  redisCommands: number;
  natsIn: number;
  natsOut: number;
}
export type Quantity = keyof Quantities;

/** The model's prediction for a load on one machine, with one auth and one usage. */
export function predict({ gateways, geo, perGateway, keys, isKeyed }: CheckLoad, figures: Figures): Quantities {
  const requests = gateways * perGateway;
  const load: Load = {
    requestsPerSecond: requests,
    keys,
    keylessShare: isKeyed ? 0 : 1,
    unknownShare: 0,
    connections: 0,
    changesPerSecond: 0,
    requestsPerCaller: 1,
    gatewaysPerKey: Number.POSITIVE_INFINITY,
    regions: 1,
    regionDelaySeconds: 0,
    utilization: 1,
  };
  const work = workOf(load, { gateways, geo, auth: 1, usage: 1 }, figures);
  const gatewayMicros = (gateways * work.gateway.totalMicros) / requests;
  const others = [work.geo, work.auth, work.usage, work.redis, work.nats];
  return {
    totalMicros: gatewayMicros + others.reduce((sum, { totalMicros }) => sum + totalMicros, 0) / requests,
    gatewayMicros,
    geoMicros: work.geo.totalMicros / requests,
    geoMessages: work.geo.messages,
    redisCommands: work.redis.commands,
    natsIn: work.nats.inMessages,
    natsOut: work.nats.outMessages,
  };
}
