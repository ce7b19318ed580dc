import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type Plans, readPlanEntries } from "@geolookup/shared/domain/plans.ts";
import type { PlansView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";

const FRESH_MS = 10_000;
const RETRY_MS = 1_000;

/**
 * Fetches the plans that auth serves, every 10 s, since a plans file can be held. While auth is unavailable, the last known plans are
 * used.
 * @param fetchPlans called once before this resolves.
 */
export async function followPlansInForce(
  fetchPlans: () => Promise<PlansView>,
  { log, clock }: { log: Logger; clock: Clock },
) {
  let plans: Plans | null = null;
  let refetchAtMs = 0;
  const poll = async () => {
    if (clock() < refetchAtMs) return;
    try {
      const read = readPlanEntries((await fetchPlans()).plans);
      if ("problems" in read) throw new Error(read.problems.join("; "));
      plans = read.plans;
      refetchAtMs = clock() + FRESH_MS;
    } catch (error) {
      budgeted(log).warn({ err: error }, "plans unavailable; pages show the last known ones");
    }
  };
  await poll();
  const polling = repeat(RETRY_MS, poll, log);
  return {
    /** Null until auth has responded. */
    current: (): Plans | null => plans,
    /** Fetches them if they are 10 s old, or the last attempt failed; this happens every second anyway. */
    poll,
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  };
}
