import { monthOf, periodAt, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { OthersTotals, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import type { DeadJournal } from "./dead-journals.ts";

/**
 * What all boots before this one counted, those included whose journals are still to be published.
 * It stays right as long as this boot is the log's only writer. Months before the last one are not
 * kept: no request is admitted in them.
 */
export async function othersAtStart(
  usageLog: UsageSource,
  dead: readonly DeadJournal[],
  clock: Clock,
): Promise<OthersTotals> {
  const keptFrom = previousMonth(periodAt(clock()).month);
  const fold = createUsageFold();
  const end = await usageLog.follow((entry) => {
    if (monthOf(entry.subject.day) >= keptFrom) fold.apply(entry);
  });
  end();
  for (const { entries } of dead) for (const entry of entries) fold.apply(entry);
  return { total: fold.total };
}
