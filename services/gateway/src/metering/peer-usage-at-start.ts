import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { monthOf, periodAt, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { UsageEntry, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { type Others, UNTOLD } from "./peer-usage.ts";

/**
 * What all boots before this one counted, those included whose journals are still to be published.
 * It stays right as long as this boot is the log's only writer. Months before the last one are not
 * kept: no request is admitted in them.
 */
export async function othersAtStart(usageLog: UsageSource, dead: readonly UsageEntry[], clock: Clock): Promise<Others> {
  const keptFrom = previousMonth(periodAt(clock()).month);
  const fold = createUsageFold();
  const end = await usageLog.follow((entry) => {
    if (monthOf(entry.subject.day) >= keptFrom) fold.apply(entry);
  });
  end();
  for (const entry of dead) fold.apply(entry);
  return {
    first: (keyId, month) => ({ total: fold.total(keyId, month), era: UNTOLD, position: 0 }),
    learn(key, { total }) {
      key.others = total;
    },
    use: () => undefined,
    async close() {},
  };
}
