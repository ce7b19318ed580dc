import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { orNull } from "../deployment/services.ts";
import type { ConsoleContext } from "./context.ts";
import { keptMonths } from "./usage-months.ts";
import type { Range } from "./usage-range.ts";
import type { UsageOnPage } from "./usage-view.ts";

/** Collects a key's usage, again at each call. It throws ServiceError if usage is unavailable. */
export function keyUsage(
  { backend, deployment, clock }: ConsoleContext,
  keyId: string,
  range: Range,
): () => Promise<Omit<UsageOnPage, "key">> {
  // Fetched once, because past months don't change.
  let past: UsageView[] | undefined;
  return async () => {
    const nowMs = clock();
    const months = keptMonths(nowMs);
    const [before, current, hours] = await Promise.all([
      past ?? Promise.all(months.slice(0, -1).map((month) => backend.usage(keyId, month))),
      backend.usage(keyId, months.at(-1) ?? ""),
      range === "hours" ? orNull(backend.hours(keyId)) : null,
    ]);
    past = before;
    return { months: [...before, current], range, hours, plans: deployment().plans(), nowMs };
  };
}
