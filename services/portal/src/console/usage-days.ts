import { dayOf, type Period } from "@geolookup/shared/domain/period.ts";
import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { type Bar, barChart } from "./chart.ts";
import { FormError, queryOf } from "./forms.ts";

const DAY_MS = 86_400_000;

/** The numbers of days that a chart can show instead of a calendar month, each with the days between its labels. */
const LABEL_EVERY: ReadonlyMap<number, number> = new Map([
  [7, 1],
  [30, 5],
  [90, 15],
]);

/** Days between labels in a month. */
const MONTH_LABEL_EVERY = 5;

type DaysOfMonth = Pick<UsageView, "month" | "days">;

/** Requests by day in a month, with today marked. */
export function monthChart(usage: DaysOfMonth, current: Period): Html {
  return barChart("Requests by day (UTC)", barsOfMonth(usage, current));
}

/** Requests by day in the last days, of which the last one is today. */
export function lastDaysChart(months: readonly DaysOfMonth[], length: number, current: Period): Html {
  return barChart(`Requests in the last ${length} days (UTC)`, barsOfLastDays(months, length, current));
}

/**
 * The number of days in a URL's query, or null if the chart shows a month.
 * @throws FormError if the chart can't show that many days.
 */
export function readDays(url: string): number | null {
  const query = queryOf(url);
  const value = query.get("days") ?? "";
  if (value === "" || query.get("month")) return null;
  const days = [...LABEL_EVERY.keys()].find((each) => String(each) === value);
  if (days !== undefined) return days;
  throw new FormError(
    400,
    `The number of days must be ${[...LABEL_EVERY.keys()].join(", ").replace(/, (\d+)$/, " or $1")}.`,
  );
}

/** Links to what the chart of a key can show. @param month the selected month, unless the chart shows the last days. */
export function daysLinks(
  keyId: string,
  { days, month, current }: { days: number | null; month: string; current: Period },
): Html {
  const link = (text: string, query: string, isShown: boolean) =>
    html`<li><a href="/console/keys/${keyId}${query}#usage"${isShown ? CURRENT : ""}>${text}</a></li>\n`;
  return html`<nav class="ranges" aria-label="Days in the chart"><ul>
${link("This month", "", days === null && month === current.month)}${[...LABEL_EVERY.keys()].map((each) => link(`${each} days`, `?days=${each}`, each === days))}</ul></nav>`;
}

const CURRENT = html` aria-current="true"`;

function barsOfMonth({ month, days }: DaysOfMonth, current: Period): Bar[] {
  const today = current.month === month ? current.dayOfMonth : Number.NaN;
  const counts = countsByDay([{ days }]);
  const [year, number] = month.split("-").map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => {
    const day = index + 1;
    const name = dayOf(month, day);
    const isCurrent = day === today;
    // Leaves room for the label of today.
    const hasTick = (day === 1 || day % MONTH_LABEL_EVERY === 0) && !(Math.abs(day - today) <= 2);
    const tick = isCurrent ? "today" : hasTick ? String(day) : "";
    return { name, value: counts.get(name) ?? 0, tick, isCurrent };
  });
}

function barsOfLastDays(months: readonly DaysOfMonth[], length: number, { dayStartMs }: Period): Bar[] {
  const counts = countsByDay(months);
  const labelEvery = LABEL_EVERY.get(length) ?? 1;
  return Array.from({ length }, (_, index) => {
    const daysAgo = length - 1 - index;
    const startMs = dayStartMs - daysAgo * DAY_MS;
    const name = new Date(startMs).toISOString().slice(0, 10);
    const tick = daysAgo === 0 ? "today" : daysAgo % labelEvery === 0 ? DAY_LABEL.format(startMs) : "";
    return { name, value: counts.get(name) ?? 0, tick, isCurrent: daysAgo === 0 };
  });
}

const DAY_LABEL = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

function countsByDay(months: readonly Pick<UsageView, "days">[]): ReadonlyMap<string, number> {
  return new Map(months.flatMap(({ days }) => days.map(({ day, requests }) => [day, requests] as const)));
}
