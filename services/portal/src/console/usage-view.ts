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
${daysChart("Requests by day (UTC)", usage, usage)}`;
}

/** Requests by day in a month. */
export function daysChart(title: string, usage: Pick<UsageView, "days">, { month }: { month: string }): Html {
  return barChart(title, daysOf({ ...usage, month }));
}

/** Usage by month, each with a link to its days. */
export function monthsView(keyId: string, months: readonly UsageView[], chosen: string): Html {
  const bars = months.map(({ month, total }) => ({
    name: month,
    value: total,
    href: `/console/keys/${keyId}?month=${month}`,
    isChosen: month === chosen,
  }));
  return barChart("Requests by month", bars);
}

function daysOf({ month, days }: Pick<UsageView, "month" | "days">): Bar[] {
  const counts = new Map(days.map(({ day, requests }) => [day, requests]));
  const [year, number] = month.split("-").map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => {
    const name = dayOf(month, index + 1);
    return { name, value: counts.get(name) ?? 0 };
  });
}
