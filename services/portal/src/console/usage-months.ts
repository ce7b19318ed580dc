import { KEPT_MONTHS, monthsBefore, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";
import { FormError } from "./forms.ts";

/** The months whose days are kept, oldest first, this one last. */
export function keptMonths(nowMs: number): Month[] {
  const { month } = periodAt(nowMs);
  return Array.from({ length: KEPT_MONTHS + 1 }, (_, index) => monthsBefore(month, KEPT_MONTHS - index));
}

/**
 * The month that an address asks for; null: it names none.
 * @throws FormError for what is none of the months that are kept.
 */
export function readMonth(url: string, nowMs: number): Month | null {
  const asked = new URLSearchParams(url.split("?")[1] ?? "").get("month");
  if (asked === null || asked === "") return null;
  const months = keptMonths(nowMs);
  if (months.includes(asked)) return asked;
  throw new FormError(
    400,
    `The month must be one from ${months[0]} to ${months.at(-1)}, as the days of these are kept.`,
  );
}
