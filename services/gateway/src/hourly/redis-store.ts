import type { RedisLink } from "./redis-link.ts";
import { EPOCH_KEY, RAISE, TAKE } from "./redis-scripts.ts";
import { type Grant, type HourWindow, NOBODY } from "./window.ts";

/** Requests of one caller that ask for room in its hour. */
export interface Ask {
  caller: string;
  /** The hour as this gateway knows it; undefined: not at all. */
  window: HourWindow | undefined;
  count: number;
  /** Requests an hour. */
  limit: number;
}

/** Asks for room for several callers. @returns Redis's time and the grants in order; null when its epoch is another: nothing was done. */
export async function takeFromRedis(
  link: RedisLink,
  options: { epoch: string; gateway: string; asks: readonly Ask[] },
): Promise<{ nowMs: number; grants: Grant[] } | null> {
  const { epoch, gateway, asks } = options;
  const keys = [EPOCH_KEY];
  const args = [epoch, gateway];
  for (const { caller, window, count, limit } of asks) {
    keys.push(caller);
    args.push(String(window?.own ?? 0), String(window?.endMs ?? 0), String(count), String(limit));
  }
  const answer = (await link.run(TAKE, keys, args)) as [number, ...(string | number)[][]] | null;
  if (answer === null) return null;
  const [nowMs, ...callers] = answer;
  return { nowMs, grants: callers.map(readGrant) };
}

/** Raises what Redis knows to at least these hours. @returns Redis's time and epoch. */
export async function raiseRedis(
  link: RedisLink,
  options: { newEpoch: string; gateway: string; windows: readonly (readonly [caller: string, HourWindow])[] },
): Promise<{ nowMs: number; epoch: string }> {
  const keys = [EPOCH_KEY];
  const args = [options.newEpoch];
  for (const [caller, { endMs, own, others }] of options.windows) {
    keys.push(caller);
    args.push(String(endMs), String(others.size + 1), options.gateway, String(own));
    for (const [gateway, count] of others) args.push(gateway, String(count));
  }
  const [nowMs, epoch] = (await link.run(RAISE, keys, args)) as [number, string];
  return { nowMs, epoch };
}

/**
 * Reads what a gateway tells the others: its name, then caller, count and end (ms) of each hour that grew.
 * @returns nothing for the gateway's own news, and for what does not read so (whoever can write that into Redis
 * can rewrite the counts as well).
 */
export function readNews(text: string, ownGateway: string): [caller: string, HourWindow][] {
  const [gateway, ...words] = text.split(" ");
  if (!gateway || gateway === ownGateway) return [];
  const news: [string, HourWindow][] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [caller, count, endMs] = [words[at] as string, Number(words[at + 1]), Number(words[at + 2])];
    if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(endMs)) return [];
    news.push([caller, { endMs, own: 0, others: new Map([[gateway, count]]) }]);
  }
  return news;
}

function readGrant([own, granted, endMs, ...rest]: (string | number)[]): Grant {
  const others: [gateway: string, count: number][] = [];
  for (let at = 0; at < rest.length; at += 2) others.push([rest[at] as string, rest[at + 1] as number]);
  const window = {
    own: own as number,
    endMs: endMs as number,
    others: others.length === 0 ? NOBODY : new Map(others),
  };
  return { window, granted: granted as number };
}
