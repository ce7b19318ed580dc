import { dayOf, KEPT_HOURS, type Period } from "@geolookup/shared/domain/period.ts";
import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { KeyHours } from "../deployment/reads.ts";
import type { Html } from "../html.ts";
import { type Bar, barChart } from "./chart.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
/** Bars between labels. */
const HOURS_LABELED = 12;
const DAYS_LABELED = 5;
const DAYS_APPEAR = "Each day gets a bar here, seconds after its first request.";

type DaysOfMonth = Pick<UsageView, "month" | "days" | "refusals">;

/** Requests by day in a month, with today marked. */
export function monthChart(usage: DaysOfMonth, current: Period): Html {
  const { month } = usage;
  const bars = barsOfMonth(usage, current);
  return month === current.month
    ? barChart("Requests by day (UTC)", bars, `No requests this month. ${DAYS_APPEAR}`)
    : barChart(`Requests by day in ${month} (UTC)`, bars, `In ${month}, no requests were counted.`);
}

/** Requests by day in the last 30 days, of which the last one is today. */
export function daysChart(months: readonly DaysOfMonth[], { dayStartMs }: Period): Html {
  const countsOn = countsByDay(months);
  const bars = lastBars(dayStartMs, DAYS, DAY_MS, (startMs, ago) => ({
    name: dayName(startMs),
    ...countsOn(dayName(startMs)),
    tick: ago === 0 ? "today" : ago % DAYS_LABELED === 0 ? DAY_LABEL.format(startMs) : "",
  }));
  return barChart("Requests by day (UTC)", bars, `No requests in the last ${DAYS} days. ${DAYS_APPEAR}`);
}

/** Requests by hour in the hours that usage keeps. */
export function hoursChart({ hours }: Pick<KeyHours, "hours">, nowMs: number): Html {
  const bars = lastBars(Math.floor(nowMs / HOUR_MS) * HOUR_MS, KEPT_HOURS, HOUR_MS, (startMs, ago) => {
    const time = new Date(startMs).toISOString().slice(11, 16);
    const { ok = 0, ...refused } = Object.fromEntries(hours.get(startMs) ?? []);
    return {
      name: `${dayName(startMs)} ${time}`,
      value: ok,
      refused: new Map(Object.entries(refused)),
      tick: ago === 0 ? "now" : ago % HOURS_LABELED === 0 ? time : "",
    };
  });
  return barChart(
    "Requests by hour (UTC)",
    bars,
    `No requests in the last ${KEPT_HOURS} hours. Each hour gets a bar here, with what was served and what was refused.`,
  );
}

/** Requests by month, each with a link to its days. */
export function monthsChart(keyId: string, months: readonly UsageView[]): Html {
  const bars = months.map(({ month, total, refusals }, index) => ({
    name: month,
    value: total,
    refused: new Map(refusals.map((refusal) => [refusal.code, refusal.total])),
    href: `/console/keys/${keyId}?month=${month}#usage`,
    isCurrent: index === months.length - 1,
    tick: index % 2 === 1 ? MONTH_LABEL.format(Date.parse(`${month}-01`)) : "",
  }));
  return barChart("Requests by month (UTC)", bars, "No requests yet. Each month gets a bar here.");
}

function barsOfMonth(usage: DaysOfMonth, current: Period): Bar[] {
  const { month } = usage;
  const today = current.month === month ? current.dayOfMonth : Number.NaN;
  const countsOn = countsByDay([usage]);
  const [year, number] = month.split("-").map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => {
    const day = index + 1;
    const name = dayOf(month, day);
    const isCurrent = day === today;
    // Leaves room for the label of today.
    const hasTick = (day === 1 || day % DAYS_LABELED === 0) && !(Math.abs(day - today) <= 2);
    const tick = isCurrent ? "today" : hasTick ? String(day) : "";
    return { name, ...countsOn(name), tick, isCurrent };
  });
}

/** Bars of equal times, of which the last one starts at `lastStartMs` and is the current one. */
function lastBars(
  lastStartMs: number,
  length: number,
  stepMs: number,
  barAt: (startMs: number, ago: number) => Bar,
): Bar[] {
  return Array.from({ length }, (_, index) => {
    const ago = length - 1 - index;
    return { ...barAt(lastStartMs - ago * stepMs, ago), isCurrent: ago === 0 };
  });
}

const DAY_LABEL = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const MONTH_LABEL = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

function dayName(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 10);
}

/** The requests on a day that were served, and those that were refused. */
function countsByDay(months: readonly DaysOfMonth[]): (day: string) => Pick<Bar, "value" | "refused"> {
  const served = new Map(months.flatMap(({ days }) => days.map(({ day, requests }) => [day, requests] as const)));
  const refused = new Map<string, Map<string, number>>();
  for (const { code, days } of months.flatMap(({ refusals }) => refusals))
    for (const { day, requests } of days)
      refused.set(day, (refused.get(day) ?? new Map<string, number>()).set(code, requests));
  return (day) => ({ value: served.get(day) ?? 0, refused: refused.get(day) ?? new Map() });
}
