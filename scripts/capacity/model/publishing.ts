import { MAX_COUNTS_PER_FLUSH } from "@geolookup/gateway/metering/flusher.ts";
import { FLUSH_INTERVAL_MS } from "@geolookup/gateway/metering/meter.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";

/** Bytes of a usage message without its counts, and of its subject and NATS headers. */
const MESSAGE_BYTES = 220;
/** `"key_` and 12 characters, a quote, a colon and a comma: a count without its digits. */
const COUNT_BYTES = 20;
const DAY_SECONDS = 86_400;

/** The messages that a gateway publishes to the usage log. */
export interface Publishing {
  /** Keys with a count of the day. A message has all of its shard. */
  keys: number;
  messagesPerSecond: number;
  /** Counts in these messages, and those of them that grew. */
  countsPerSecond: number;
  grownPerSecond: number;
  bytesPerMessage: number;
  /** How long a count waits for its message. */
  flushSeconds: number;
}

/**
 * The messages of one gateway late in a day (`services/gateway/src/metering/flusher.ts`): every second, the shards with changes,
 * oldest first, up to 20,000 counts, but at least one shard.
 * @param keyedPerSecond requests with a key at this gateway.
 * @param activeKeys keys that this gateway gets requests of, all equally often.
 */
export function publishingOf(keyedPerSecond: number, activeKeys: number): Publishing {
  const interval = FLUSH_INTERVAL_MS / 1_000;
  if (keyedPerSecond <= 0 || activeKeys <= 0)
    return {
      keys: 0,
      messagesPerSecond: 0,
      countsPerSecond: 0,
      grownPerSecond: 0,
      bytesPerMessage: 0,
      flushSeconds: interval,
    };
  const keys = activeKeys * used(keyedPerSecond * DAY_SECONDS, activeKeys);
  const shards = SHARD_COUNT * used(keys, SHARD_COUNT);
  const keysPerShard = keys / shards;
  const shardsPerFlush = Math.max(1, Math.floor(MAX_COUNTS_PER_FLUSH / keysPerShard));
  const flushSeconds = interval * Math.max(1, shards / shardsPerFlush);
  const messagesPerSecond = (shards * used(keyedPerSecond * flushSeconds, shards)) / flushSeconds;
  const digits = 1 + Math.floor(Math.log10(Math.max(1, (keyedPerSecond * DAY_SECONDS) / keys)));
  return {
    keys,
    messagesPerSecond,
    countsPerSecond: messagesPerSecond * keysPerShard,
    grownPerSecond: (keys * used(keyedPerSecond * flushSeconds, keys)) / flushSeconds,
    bytesPerMessage: MESSAGE_BYTES + keysPerShard * (COUNT_BYTES + digits),
    flushSeconds,
  };
}

/** The share of items that are used at least once, if each use picks one at random. */
export function used(uses: number, things: number): number {
  return -Math.expm1(-uses / things);
}
