import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { followOthers } from "./follow-peers.ts";
import type { Ledger } from "./ledger.ts";
import type { MeterOptions } from "./meter.ts";
import type { Others } from "./peer-usage.ts";
import { othersAtStart } from "./peer-usage-at-start.ts";
import type { Rescue } from "./recovery.ts";

const REFRESH_INTERVAL_MS = 1_000;

/** Opens who tells the meter of a boot what others counted: the usage service, or the log alone. */
export async function openOthers(
  options: MeterOptions,
  boot: { instanceId: string; ledger: Ledger; rescue: Rescue; onAsked: (outcome: "answered" | "failed") => void },
): Promise<Others> {
  const { others, usageLog, clock, log, refreshIntervalMs: intervalMs = REFRESH_INTERVAL_MS } = options;
  const { instanceId, ledger, rescue, onAsked } = boot;
  if (!others) return othersAtStart(usageLog, rescue.entries, clock);
  const rescued = createUsageFold();
  for (const entry of rescue.entries) rescued.apply(entry);
  return followOthers({
    totals: others(instanceId),
    intervalMs,
    find: (keyId, month) => ledger.find(keyId, month),
    position: rescue.position,
    known: rescued.total,
    onAsked,
    log,
  });
}
