import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { orNull } from "../deployment/services.ts";
import type { ConsoleContext } from "./context.ts";
import { sharesQuota } from "./format.ts";
import { keptMonths } from "./usage-months.ts";
import type { Range } from "./usage-range.ts";
import type { UsageOnPage } from "./usage-view.ts";

/** Collects a key's usage, again at each call. It throws ServiceError if usage is unavailable. */
export function keyUsage(
  { backend, deployment, clock }: Pick<ConsoleContext, "backend" | "deployment" | "clock">,
  key: KeyView,
  range: Range,
): () => Promise<Omit<UsageOnPage, "key">> {
  const { keyId } = key;
  const quotaId = sharesQuota(key) ? key.quota?.id : undefined;
  // Fetched once a month, because past months don't change.
  let past: UsageView[] | undefined;
  return async () => {
    const nowMs = clock();
    const months = keptMonths(nowMs);
    const month = months.at(-1) ?? "";
    if (past?.[0]?.month !== months[0]) past = undefined;
    const [before, current, hours, shared] = await Promise.all([
      past ?? Promise.all(months.slice(0, -1).map((each) => backend.usage(keyId, each))),
      backend.usage(keyId, month),
      range === "hours" ? orNull(backend.hours(keyId)) : null,
      quotaId === undefined ? null : orNull(backend.quotaUsage(quotaId, month)),
    ]);
    past = before;
    const sharedUse = shared?.total ?? null;
    return { months: [...before, current], range, hours, plans: deployment().plans(), sharedUse, nowMs };
  };
}
