import { KEPT_MONTHS, monthsBefore, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";
import { FormError, queryOf } from "./forms.ts";

/** The months with usage by day, from the oldest to the current one. */
export function keptMonths(nowMs: number): Month[] {
  const { month } = periodAt(nowMs);
  return Array.from({ length: KEPT_MONTHS + 1 }, (_, index) => monthsBefore(month, KEPT_MONTHS - index));
}

/**
 * The month in a URL's query, or null.
 * @throws FormError if usage by day isn't kept for that month.
 */
export function readMonth(url: string, nowMs: number): Month | null {
  const value = queryOf(url).get("month");
  if (value === null || value === "") return null;
  const months = keptMonths(nowMs);
  if (months.includes(value)) return value;
  throw new FormError(
    400,
    `The month must be between ${months[0]} and ${months.at(-1)}: usage by day isn't kept for other months.`,
  );
}
