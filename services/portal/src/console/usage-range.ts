import { KEPT_HOURS } from "@geolookup/shared/domain/period.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";
import { type Html, html } from "../html.ts";
import { FormError, queryOf } from "./forms.ts";
import { readMonth } from "./usage-months.ts";

const RANGES = [
  { range: "hours", label: `${KEPT_HOURS} hours` },
  { range: "days", label: "30 days" },
  { range: "months", label: "14 months" },
] as const;

/** What a key's chart shows: the last hours, days or months, or the days of a month. */
export type Range = (typeof RANGES)[number]["range"] | { month: Month };

/**
 * The range in a URL's query; by default the last days.
 * @throws FormError for any other range, and for a month without usage by day.
 */
export function readRange(url: string, nowMs: number): Range {
  const month = readMonth(url, nowMs);
  if (month !== null) return { month };
  const value = queryOf(url).get("range") || "days";
  const found = RANGES.find(({ range }) => range === value);
  if (found === undefined) throw new FormError(400, "The range must be hours, days or months.");
  return found.range;
}

/** The query of a URL with this range. */
export function rangeQuery(range: Range): string {
  return typeof range === "string" ? `?range=${range}` : `?month=${range.month}`;
}

/** Links to what the chart of a key can show. */
export function rangeLinks(keyId: string, shown: Range): Html {
  return html`<nav class="ranges" aria-label="Time in the chart"><ul>
${RANGES.map(({ range, label }) => html`<li><a href="/console/keys/${keyId}${rangeQuery(range)}#usage"${range === shown ? CURRENT : ""}>${label}</a></li>\n`)}</ul></nav>`;
}

const CURRENT = html` aria-current="true"`;
