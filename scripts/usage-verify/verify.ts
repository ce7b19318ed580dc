import { setTimeout as delay } from "node:timers/promises";
import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import { monthsBefore, oldestKeptMonth, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Month, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { usageFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { openService } from "../keys/admin-client.ts";
import type { ServiceAddress } from "../keys/service-address.ts";
import { type AskShard, type Comparison, compareWithService } from "./compare.ts";

const RETRY_AFTER_MS = 250;

/**
 * Folds a usage log from its start and compares it with a running service.
 * @param options.graceMs how long the service may be behind the log, in total.
 * @throws ServiceError; StartError when the service is unreachable
 */
export async function verifyUsage(options: {
  usageLog: UsageSource;
  service: ServiceAddress;
  graceMs: number;
  clock?: Clock;
}): Promise<Comparison> {
  const { usageLog, clock = systemClock } = options;
  const fold = createUsageFold();
  using service = openService(options.service);
  const ask: AskShard = async (shard, month) => {
    const { keys } = await service.call(USAGE.ListShardMonth, { shard, month });
    return new Map(keys.map(usageFromWire).map((usage) => [usage.keyId, usage]));
  };
  await using _following = await usageLog.follow(fold.apply, fold.applyMonth);
  const giveUpAtMs = performance.now() + options.graceMs;
  const { month: current } = periodAt(clock());
  const keptByDay = oldestKeptMonth(clock());
  const [first = keptByDay] = fold.months();
  const months: Month[] = [];
  for (let month = current; month >= first || month >= keptByDay; month = monthsBefore(month, 1)) months.unshift(month);
  return await compareWithService(fold, { months, keptByDay }, ask, async () => {
    if (performance.now() >= giveUpAtMs) return false;
    await delay(RETRY_AFTER_MS);
    return true;
  });
}
