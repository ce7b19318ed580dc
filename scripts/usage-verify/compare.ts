import type { Month, MonthUsage } from "@geolookup/shared/domain/usage.ts";
import type { UsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";

/** Requests a month of a shard's keys from the service. */
export type AskShard = (shard: number, month: Month) => Promise<Map<string, MonthUsage>>;

export interface Difference {
  keyId: string;
  /** The day; or the month, if its total differs but none of its days. */
  period: string;
  /** Requests in the log. */
  logged: number;
  /** Requests according to the service. */
  reported: number;
}

export interface Comparison {
  differences: Difference[];
  /** How many months of keys were compared. */
  compared: number;
}

/**
 * Compares a service's counts with a fold of the log that keeps growing meanwhile. Counts
 * only grow, so a response is right if it is between the fold's counts before and after it.
 * @param span.months the months to compare; before `span.keptByDay` only their totals: the days are no longer kept.
 * @param retry awaited before a shard that differs is compared again, since the service may be a moment behind; false to
 *   give up.
 */
export async function compareWithService(
  fold: UsageFold,
  span: { months: readonly Month[]; keptByDay: Month },
  ask: AskShard,
  retry: () => Promise<boolean>,
): Promise<Comparison> {
  const differences: Difference[] = [];
  let compared = 0;
  const compareNow = async (shard: number, month: Month, isByDay: boolean) => {
    let outcome = await compareShard(fold, ask, shard, month, isByDay);
    while (outcome.differences.length > 0 && (await retry()))
      outcome = await compareShard(fold, ask, shard, month, isByDay);
    differences.push(...outcome.differences);
    compared += outcome.compared;
  };
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
  for (const month of span.months) {
    // Responses by day may be large: one at a time. Totals are small, and there may be many years of them.
    if (month >= span.keptByDay) for (const shard of shards) await compareNow(shard, month, true);
    else await Promise.all(shards.map((shard) => compareNow(shard, month, false)));
  }
  return { differences, compared };
}

async function compareShard(
  fold: UsageFold,
  ask: AskShard,
  shard: number,
  month: Month,
  isByDay: boolean,
): Promise<Comparison> {
  const before = fold.shardMonth(shard, month);
  const response = await ask(shard, month);
  const after = fold.shardMonth(shard, month);
  const keyIds = new Set([...after.keys(), ...response.keys()]);
  const differences = [...keyIds].flatMap((keyId) => {
    const usages = [before, after, response].map((each) => each.get(keyId));
    const compared = (period: string, [from = 0, to = 0, said = 0]: (number | undefined)[]) =>
      said >= from && said <= to ? [] : [{ keyId, period, logged: to, reported: said }];
    const [least, most, reported] = usages.map(byDay);
    const days = isByDay ? new Set([...(most?.keys() ?? []), ...(reported?.keys() ?? [])]) : [];
    const byDays = [...days].flatMap((day) =>
      compared(
        day,
        [least, most, reported].map((each) => each?.get(day)),
      ),
    );
    return byDays.length > 0
      ? byDays
      : compared(
          month,
          usages.map((usage) => usage?.total),
        );
  });
  return { differences, compared: keyIds.size };
}

function byDay(usage: MonthUsage | undefined): Map<string, number> {
  return new Map(usage?.days.map(({ day, requests }) => [day, requests]));
}
