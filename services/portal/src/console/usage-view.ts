import { type Period, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { KeyHours } from "../deployment/reads.ts";
import { type Html, html } from "../html.ts";
import { number, quotaBar, quotaText, sharesQuota, time } from "./format.ts";
import { daysChart, hoursChart, monthChart, monthsChart } from "./usage-charts.ts";
import type { Range } from "./usage-range.ts";

/** What a key's page shows of its usage. */
export interface UsageOnPage {
  key: Pick<KeyView, "keyId" | "plan" | "createdAt" | "quota" | "rotatedTo">;
  /** All kept months, the current one last. */
  months: readonly UsageView[];
  range: Range;
  /** Requests by hour; null if the range has no hours, or they aren't available. */
  hours: KeyHours | null;
  plans: Plans | null;
  /** The requests of all keys that share its quota, in this month; null if it isn't shared, or they aren't available. */
  sharedUse: number | null;
  nowMs: number;
}

/** A key's usage: this month relative to its quota, when it was last used, and a chart. */
export function usageView(usage: UsageOnPage): Html {
  const { key, months, plans, sharedUse, nowMs } = usage;
  const current = periodAt(nowMs);
  const { total, days } = months.at(-1) as UsageView;
  const today = days.find(({ day }) => day === current.day)?.requests ?? 0;
  return html`<div class="counts">
<div><p class="name">This month</p><p class="count" id="month-total">${number(total)}</p></div>
<div><p class="name">Today</p><p class="count">${number(today)}</p></div>
<div><p class="name">Last used</p><p class="count">${lastUsed(usage, current)}</p></div>
<div class="wide">${
    sharesQuota(key)
      ? html`<p class="name">Quota, shared with other keys</p>${sharedUse === null ? "not available" : quotaText(sharedUse, key.quota?.monthlyRequests)}`
      : html`<p class="name">Quota</p>${quotaBar(total, key, plans)}`
  }</div>
</div>
${chart(usage, current)}`;
}

/** The day of a key's last request, or the month if its days are no longer kept. */
function lastUsed({ key, months }: UsageOnPage, current: Period): string {
  const last = months.findLast(({ total }) => total > 0);
  if (last === undefined) {
    const first = months[0]?.month ?? "";
    return key.createdAt.slice(0, 7) >= first ? "never" : `before ${first}, or never`;
  }
  const day = last.days.at(-1)?.day ?? last.month;
  return day === current.day ? "today" : day;
}

function chart({ key, months, range, hours, nowMs }: UsageOnPage, current: Period): Html {
  if (range === "days") return html`${daysChart(months, current)}${REFUSED}`;
  if (range === "months") return html`${monthsChart(key.keyId, months)}${REFUSED}`;
  if (range !== "hours") {
    const shown = months.find(({ month }) => month === range.month);
    return html`${monthChart(shown ?? { ...range, days: [], refusals: [] }, current)}${REFUSED}`;
  }
  if (hours === null) return html`<p class="note">Requests by hour aren't available right now.</p>`;
  const since = time(new Date(hours.sinceMs).toISOString());
  return html`${hoursChart(hours, nowMs)}${REFUSED}
<p class="hint">The usage service has kept the hours in memory since ${since}.</p>`;
}

const REFUSED = html`
<p class="hint">The upper part of a bar is requests that were refused. They count toward no quota.</p>`;
