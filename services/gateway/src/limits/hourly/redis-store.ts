import { NAME_LENGTH } from "./hourly-limit.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { CALLER_PREFIX, EPOCH_KEY, MERGE, ONE_SLOT, TAKE } from "./redis-scripts.ts";
import { type HourWindow, NO_PEERS, type StoreDecision } from "./windows.ts";

/** Requests of one caller to be admitted. */
export interface CallerRequests {
  caller: string;
  /** The hour as this gateway knows it, if it does. */
  window: HourWindow | undefined;
  count: number;
  /** Requests per hour. */
  limit: number;
}

const CALLER_KEY = new RegExp(`^(?:${ONE_SLOT})?${CALLER_PREFIX}[\\w-]{${NAME_LENGTH}}$`);

export interface TakenFromRedis {
  /** Redis's time. */
  nowMs: number;
  /** Whether it was too late: Redis has not counted the requests. */
  isLate: boolean;
  /** In the order of the requests. */
  decisions: StoreDecision[];
}

/**
 * Asks Redis to admit requests of several callers.
 * @param options.validUntilMs by Redis's clock. Later, no requests are admitted.
 * @param options.isWanted whether the decisions are still needed.
 * @returns null, without effect, if Redis's epoch is another.
 */
export async function takeFromRedis(
  redis: RedisConnection,
  options: {
    epoch: string;
    gateway: string;
    validUntilMs: number;
    requests: readonly CallerRequests[];
    isWanted?: () => boolean;
  },
): Promise<TakenFromRedis | null> {
  const { epoch, gateway, validUntilMs, requests } = options;
  const keys = [EPOCH_KEY, ...requests.map(({ caller }) => CALLER_PREFIX + caller)];
  const known = requests.map(
    ({ window, count, limit }) => `${window?.own ?? 0} ${window?.endMs ?? 0} ${count} ${limit}`,
  );
  const result = await redis.run(TAKE, keys, [epoch, gateway, String(validUntilMs), ...known], options.isWanted);
  if (result.length === 0) return null;
  const [nowMs, isLate, ...decisions] = result as [number, 0 | 1, ...(string | number)[][]];
  return { nowMs, isLate: isLate === 1, decisions: decisions.map(parseDecision) };
}

/** Not a caller: a second key for every merge, so that a server in cluster mode refuses keys in several slots even if there are no callers. */
const NOBODY = ["", { endMs: 0, own: 0, peers: NO_PEERS }] as const;

/** Merges hours into Redis. @returns its time and epoch. */
export async function mergeIntoRedis(
  redis: RedisConnection,
  options: { newEpoch: string; gateway: string; windows: readonly (readonly [caller: string, HourWindow])[] },
): Promise<{ nowMs: number; epoch: string }> {
  const keys = [EPOCH_KEY];
  const args = [options.newEpoch];
  for (const [caller, { endMs, own, peers }] of [NOBODY, ...options.windows]) {
    keys.push(CALLER_PREFIX + caller);
    args.push(String(endMs), String(peers.size + 1), options.gateway, String(own));
    for (const [gateway, count] of peers) args.push(gateway, String(count));
  }
  const [nowMs, epoch] = (await redis.run(MERGE, keys, args)) as [number, string];
  return { nowMs, epoch };
}

/**
 * Parses an update from a gateway: its name, then caller, count and end (ms) of each hour that grew.
 * @returns an empty list for this gateway's own updates and for invalid text.
 */
export function parseUpdate(text: string, ownGateway: string): [caller: string, HourWindow][] {
  const [gateway, ...words] = text.split(" ");
  if (!gateway || gateway === ownGateway) return [];
  const windows: [string, HourWindow][] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [key, count, endMs] = [words[at] as string, Number(words[at + 1]), Number(words[at + 2])];
    if (!CALLER_KEY.test(key) || !Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(endMs)) return [];
    windows.push([key.slice(-NAME_LENGTH), { endMs, own: 0, peers: new Map([[gateway, count]]) }]);
  }
  return windows;
}

function parseDecision([own, granted, endMs, ...rest]: (string | number)[]): StoreDecision {
  const peers: [gateway: string, count: number][] = [];
  for (let at = 0; at < rest.length; at += 2) peers.push([rest[at] as string, rest[at + 1] as number]);
  const window = {
    own: own as number,
    endMs: endMs as number,
    peers: peers.length === 0 ? NO_PEERS : new Map(peers),
  };
  return { window, granted: granted as number };
}
