import type { Month } from "@geolookup/shared/domain/usage.ts";
import type { MonthUsage, UsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";

/** Asks the service for the months of a shard's keys. */
export type AskShard = (shard: number, month: Month) => Promise<Map<string, MonthUsage>>;

export interface Difference {
  keyId: string;
  day: string;
  /** Requests in the log. */
  logged: number;
  /** What the service says. */
  answered: number;
}

export interface Comparison {
  differences: Difference[];
  /** How many months of keys were compared. */
  compared: number;
}

/**
 * Compares what a service answers with a fold of the log that goes on while it is compared. Counts
 * only grow, so an answer is right when it lies between what the fold had before and after it.
 * @param months those that the service keeps.
 * @param retry is awaited before a shard that differs is compared again; false when it is time to
 *   give up: the service may be a moment behind.
 */
export async function compareWithService(
  fold: UsageFold,
  months: readonly Month[],
  ask: AskShard,
  retry: () => Promise<boolean>,
): Promise<Comparison> {
  const differences: Difference[] = [];
  let compared = 0;
  for (const month of months)
    for (let shard = 0; shard < SHARD_COUNT; shard++) {
      let outcome = await compareShard(fold, ask, shard, month);
      while (outcome.differences.length > 0 && (await retry())) outcome = await compareShard(fold, ask, shard, month);
      differences.push(...outcome.differences);
      compared += outcome.compared;
    }
  return { differences, compared };
}

async function compareShard(fold: UsageFold, ask: AskShard, shard: number, month: Month): Promise<Comparison> {
  const before = fold.shardMonth(shard, month);
  const answer = await ask(shard, month);
  const after = fold.shardMonth(shard, month);
  const keyIds = new Set([...after.keys(), ...answer.keys()]);
  const differences = [...keyIds].flatMap((keyId) => {
    const [least, most, answered] = [before, after, answer].map((each) => byDay(each.get(keyId)));
    const days = new Set([...(most?.keys() ?? []), ...(answered?.keys() ?? [])]);
    return [...days].flatMap((day) => {
      const [from = 0, to = 0, said = 0] = [least, most, answered].map((each) => each?.get(day));
      return said >= from && said <= to ? [] : [{ keyId, day, logged: to, answered: said }];
    });
  });
  return { differences, compared: keyIds.size };
}

function byDay(usage: MonthUsage | undefined): Map<string, number> {
  return new Map(usage?.days.map(({ day, requests }) => [day, requests]));
}
