import type { Figures } from "../figures.ts";
import type { Load } from "../load.ts";
import { type Exactness, exactnessOf } from "./exactness.ts";
import { firstReached, type LimitId, limitsOf, type Reached, usedShare } from "./limits.ts";
import { planRegion, type RegionPlan } from "./plan.ts";
import { type Disk, diskOf, memoryOf, type ProcessMemory } from "./storage.ts";

/** The resources that a load needs. All regions are equal. */
export interface CapacityPlan {
  region: RegionPlan;
  /** Cores that one region uses. */
  cores: number;
  memory: ProcessMemory;
  disk: Disk;
  exactness: Exactness;
  /** Open connections in a region. */
  connections: {
    clients: number;
    clientsPerGateway: number;
    gatewayGeo: number;
    gatewayAuth: number;
    gatewayUsage: number;
  };
  /** In the order in which a growing load reaches them. */
  limits: Reached[];
}

/** Above these rates, counts fall further and further behind. */
const NEEDED_FOR_COUNTS: ReadonlySet<LimitId> = new Set(["usage-fold", "usage-stores", "usage-bytes", "usage-message"]);

/** Computes the resources that a load needs. Pure: the same load and figures give the same plan. */
export function planCapacity(load: Load, figures: Figures): CapacityPlan {
  const region = planRegion(load, figures);
  const { gateways, gateway, geo, auth, usage, redis, nats } = region;
  const limits = limitsOf(load, region, figures);
  const keepsUp = limits.every((limit) => !NEEDED_FOR_COUNTS.has(limit.id) || usedShare(limit) < 1);
  const clients = load.connections / load.regions;
  return {
    region,
    cores:
      (gateways * gateway.totalMicros +
        geo.totalMicros +
        auth.totalMicros +
        usage.totalMicros +
        redis.totalMicros +
        nats.totalMicros) /
      1e6,
    memory: memoryOf(load, region, figures),
    disk: diskOf(load, region, figures),
    exactness: exactnessOf(load, region, keepsUp),
    connections: {
      clients,
      clientsPerGateway: clients / gateways,
      gatewayGeo: gateways * geo.nodes,
      gatewayAuth: gateways * auth.nodes,
      gatewayUsage: gateways * usage.nodes,
    },
    limits: firstReached(load, figures),
  };
}
