import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { barChart } from "./chart.ts";
import { number, quotaBar } from "./format.ts";
import { lastDaysChart, monthChart } from "./usage-days.ts";

/**
 * A key's usage: in a month relative to its quota, by day, and by month.
 * @param months all kept months, of which `usage` is one.
 * @param days how many of the last days the chart shows; null: the month's.
 * @param current today and this month.
 */
export function usageView(usage: UsageView, { key, months, days, plans, current }: UsageOptions): Html {
  const isCurrent = usage.month === current.month;
  const today = usage.days.find(({ day }) => day === current.day)?.requests ?? 0;
  return html`<div class="counts">
<div><p class="name">${isCurrent ? "This month" : usage.month}</p><p class="count" id="month-total">${number(usage.total)}</p></div>
${isCurrent ? html`<div><p class="name">Today</p><p class="count">${number(today)}</p></div>\n` : ""}<div class="wide"><p class="name">Quota</p>${quotaBar(usage.total, key.plan, plans)}</div>
</div>
${days === null ? monthChart(usage, current) : lastDaysChart(months, days, current)}
${monthsView(key.keyId, months, usage.month)}`;
}

interface UsageOptions {
  key: Pick<KeyView, "keyId" | "plan">;
  months: readonly UsageView[];
  days: number | null;
  plans: Plans | null;
  current: Period;
}

/** Usage by month, each with a link to its days. */
function monthsView(keyId: string, months: readonly UsageView[], chosen: string): Html {
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
