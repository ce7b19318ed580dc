import type { Figures } from "../figures.ts";
import type { Load } from "../load.ts";
import type { RegionPlan } from "./plan.ts";

const DAY_SECONDS = 86_400;
/** A line of the journal: the day, the key's ID, the count. */
const JOURNAL_LINE_BYTES = 34;
/** A journal is rotated at 4 MB at first, or at four times the size that it had after the last rotation. */
const JOURNAL_MIN_BYTES = 4 * 2 ** 20;
const JOURNAL_RATIO = 4;

/** Bytes in memory of one process of each kind. V8 lets the heap double before it collects it. */
export interface ProcessMemory {
  gateway: number;
  geo: number;
  auth: number;
  usage: number;
  redis: number;
}

/** Bytes on disk. */
export interface Disk {
  /** The key log once all keys are issued, and its growth per day. */
  keyLogBytes: number;
  keyLogBytesPerDay: number;
  /** The usage log with its 430 days: the last message of each day, gateway and shard. */
  usageLogBytes: number;
  /** What NATS writes per day to keep it, on each of its servers. */
  usageWritesPerDay: number;
  /** Per gateway: the maximum size of its journal, and the bytes written to it per day. */
  journalBytes: number;
  journalWritesPerDay: number;
}

/** Every count of a key, day and gateway is kept, so that a late one can be distinguished from a repeated one. */
export function usageMemoryBytes(keysPerGateway: number, gateways: number, figures: Figures): number {
  return keysPerGateway * gateways * figures.usageDays * figures.usageCountBytes;
}

export function memoryOf(load: Load, { gateways, gateway, redis }: RegionPlan, figures: Figures): ProcessMemory {
  const { keys, connections, regions } = load;
  const { publishing } = gateway;
  const callers = Math.min(redis.callers, figures.maxCallers);
  const heap = (base: number, bytes: number) => base + figures.heapFactor * bytes;
  return {
    gateway: heap(
      figures.gatewayBaseBytes,
      publishing.keys * figures.gatewayKeyBytes +
        callers * figures.gatewayCallerBytes +
        (connections / regions / gateways) * figures.connectionBytes,
    ),
    geo: figures.geoBytes,
    auth: heap(figures.gatewayBaseBytes, keys * figures.authKeyBytes),
    usage: figures.gatewayBaseBytes + usageMemoryBytes(publishing.keys, gateways * regions, figures),
    redis: redis.callers * figures.redisCallerBytes,
  };
}

export function diskOf(load: Load, region: RegionPlan, figures: Figures): Disk {
  const { publishing } = region.gateway;
  const gateways = region.gateways * load.regions;
  const counted = region.requests.keyed / region.gateways;
  const shardMessages = publishing.messagesPerSecond * publishing.flushSeconds;
  return {
    keyLogBytes: load.keys * figures.keyEventBytes,
    keyLogBytesPerDay: load.changesPerSecond * DAY_SECONDS * figures.keyEventBytes,
    usageLogBytes: gateways * shardMessages * publishing.bytesPerMessage * figures.usageLogDays,
    usageWritesPerDay: gateways * publishing.messagesPerSecond * publishing.bytesPerMessage * DAY_SECONDS,
    journalBytes: Math.max(JOURNAL_MIN_BYTES, JOURNAL_RATIO * publishing.keys * JOURNAL_LINE_BYTES),
    journalWritesPerDay: counted * DAY_SECONDS * JOURNAL_LINE_BYTES,
  };
}
