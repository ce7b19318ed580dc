import { isMonth, KEPT_MONTHS, monthsBefore, oldestKeptMonth, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";

/** The months whose days are kept, oldest first, this one last. */
export function keptMonths(nowMs: number): Month[] {
  const { month } = periodAt(nowMs);
  return Array.from({ length: KEPT_MONTHS + 1 }, (_, index) => monthsBefore(month, KEPT_MONTHS - index));
}

/** The month that a page's address asks for; this month where it asks for none that is kept. */
export function readMonth(url: string, nowMs: number): Month {
  const { month: current } = periodAt(nowMs);
  const asked = new URLSearchParams(url.split("?")[1] ?? "").get("month") ?? "";
  return isMonth(asked) && asked >= oldestKeptMonth(nowMs) && asked <= current ? asked : current;
}
