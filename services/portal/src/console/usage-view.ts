import { KEPT_HOURS, type Period, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { number, quotaBar, time } from "./format.ts";
import type { KeyResponses } from "./gateway-responses.ts";
import { daysChart, hoursChart, monthChart, monthsChart } from "./usage-charts.ts";
import type { Range } from "./usage-range.ts";

/** What a key's page shows of its usage. */
export interface UsageOnPage {
  key: Pick<KeyView, "keyId" | "plan" | "createdAt">;
  /** All kept months, the current one last. */
  months: readonly UsageView[];
  range: Range;
  /** Responses by hour; null if the range has no hours, or no gateway responds. */
  responses: KeyResponses | null;
  plans: Plans | null;
  nowMs: number;
}

/** A key's usage: this month relative to its quota, when it was last used, and a chart. */
export function usageView(usage: UsageOnPage): Html {
  const { key, months, plans, nowMs } = usage;
  const current = periodAt(nowMs);
  const { total, days } = months.at(-1) as UsageView;
  const today = days.find(({ day }) => day === current.day)?.requests ?? 0;
  return html`<div class="counts">
<div><p class="name">This month</p><p class="count" id="month-total">${number(total)}</p></div>
<div><p class="name">Today</p><p class="count">${number(today)}</p></div>
<div><p class="name">Last used</p><p class="count">${lastUsed(usage, current)}</p></div>
<div class="wide"><p class="name">Quota</p>${quotaBar(total, key.plan, plans)}</div>
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

function chart({ key, months, range, responses, nowMs }: UsageOnPage, current: Period): Html {
  if (range === "days") return html`${daysChart(months, current)}${NO_REFUSALS}`;
  if (range === "months") return html`${monthsChart(key.keyId, months)}${NO_REFUSALS}`;
  if (range !== "hours") {
    const shown = months.find(({ month }) => month === range.month);
    return html`${monthChart(shown ?? { ...range, days: [] }, current)}${NO_REFUSALS}`;
  }
  if (responses === null)
    return html`<p class="note">The gateways count requests by hour, but none of them is responding, or the portal's <code>OPS_TARGETS</code> isn't set.</p>`;
  const since = time(new Date(responses.sinceMs).toISOString());
  return html`${hoursChart(responses, nowMs)}
<p class="hint">The upper part of a bar is what was refused. The running gateways have counted this in memory since ${since}. Refusals of a revoked key aren't included.</p>`;
}

const NO_REFUSALS = html`
<p class="hint">These are the requests that were served. To see refusals too, choose ${KEPT_HOURS} hours.</p>`;
