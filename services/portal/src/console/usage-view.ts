import { dayOf, type Period } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { type Bar, barChart } from "./chart.ts";
import { number } from "./format.ts";
import { quotaBar } from "./quota.ts";

/**
 * A key's usage in a month, by day and relative to its quota.
 * @param current today and this month.
 */
export function monthView(usage: UsageView, plan: string, plans: Plans | null, current: Period): Html {
  const isCurrent = usage.month === current.month;
  const today = usage.days.find(({ day }) => day === current.day)?.requests ?? 0;
  return html`<div class="counts">
<div><p class="name">${isCurrent ? "This month" : usage.month}</p><p class="count" id="month-total">${number(usage.total)}</p></div>
${isCurrent ? html`<div><p class="name">Today</p><p class="count">${number(today)}</p></div>\n` : ""}<div class="wide"><p class="name">Quota</p>${quotaBar(usage.total, plan, plans)}</div>
</div>
${daysChart("Requests by day (UTC)", usage, current)}`;
}

/** Requests by day in a month, with today marked. */
export function daysChart(title: string, usage: Pick<UsageView, "month" | "days">, current: Period): Html {
  return barChart(title, daysOf(usage, current));
}

/** Usage by month, each with a link to its days. */
export function monthsView(keyId: string, months: readonly UsageView[], chosen: string): Html {
  const bars = months.map(({ month, total }, index) => ({
    name: month,
    value: total,
    href: `/console/keys/${keyId}?month=${month}`,
    isChosen: month === chosen,
    isCurrent: index === months.length - 1,
    tick: index % 2 === 1 ? MONTHS.format(Date.parse(`${month}-01`)) : "",
  }));
  return barChart("Requests by month", bars);
}

const MONTHS = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

/** Days with a label. */
const TICK_EVERY = 5;

function daysOf({ month, days }: Pick<UsageView, "month" | "days">, current: Period): Bar[] {
  const today = current.month === month ? current.dayOfMonth : Number.NaN;
  const counts = new Map(days.map(({ day, requests }) => [day, requests]));
  const [year, number] = month.split("-").map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => {
    const day = index + 1;
    const name = dayOf(month, day);
    const isCurrent = day === today;
    // Leaves room for the label of today.
    const hasTick = (day === 1 || day % TICK_EVERY === 0) && !(Math.abs(day - today) <= 2);
    const tick = isCurrent ? "today" : hasTick ? String(day) : "";
    return { name, value: counts.get(name) ?? 0, tick, isCurrent };
  });
}
