import { limitsText } from "@geolookup/shared/domain/plan-limits.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { FIELDS, FIELDS_OF, type FieldSet } from "@geolookup/shared/domain/record.ts";
import { type Html, html, prose } from "../html.ts";
import { page } from "../page.ts";
import type { Site } from "../site.ts";
import { jsonBlock } from "./code.ts";
import { EXAMPLE_RECORD, UNKNOWN_FREE_RECORD } from "./example-record.ts";
import { FIELD_NOTES, PARTIAL_NOTE } from "./field-notes.ts";

/** Every field of the record with the plans that have it, and the plans that are configured here. */
export function fieldsPage(site: Site): string {
  return page(
    "Fields and plans",
    html`<h1>Fields and plans</h1>
<p class="lede">The plan of the key decides which fields an answer has.${site.keyless.hourlyLimit === null ? "" : " Without a key it has the free fields."}</p>
<div class="table"><table>
<thead><tr><th scope="col">Field</th><th scope="col" class="mark">Free</th><th scope="col" class="mark">Paid</th>
<th scope="col">Meaning</th></tr></thead>
<tbody>
${FIELDS.map((name) => fieldRow(name, FIELD_NOTES[name], FIELDS_OF))}${fieldRow("partial", { type: "true", note: PARTIAL_NOTE }, { free: ["partial"], paid: ["partial"] })}</tbody>
</table></div>
<h2>Null, absent, partial</h2>
<p><code>null</code> means that the value could not be determined; any field can be null. A field that is
<strong>absent</strong> is not on the plan, or not among the <code>fields</code> asked for. <code>partial</code> is true
when one of country, continent, region, city, time zone or coordinates is null although the plan has it. A postal code, a
network or a metro code that is null does not count.</p>
<p>A place that is not known is never an error. Where nothing is known, the answer with the free fields is this, with status 200:</p>
${jsonBlock(UNKNOWN_FREE_RECORD)}
<h2>Fewer fields</h2>
<p><code>?fields=country,city</code> trims the answer to the fields named. It never widens what the plan allows, and names
that are not known are ignored.</p>
<h2 id="plans">Plans</h2>
${planTable(site.plans())}
<h2>A whole record</h2>
${jsonBlock(EXAMPLE_RECORD)}`,
    { path: "/fields", wide: true },
  );
}

const YES = html`<td class="mark yes"><span aria-hidden="true">✓</span><span class="said">yes</span></td>`;
const NO = html`<td class="mark no"><span aria-hidden="true">–</span><span class="said">no</span></td>`;

function fieldRow(
  name: string,
  { type, note }: { type: string; note: string },
  has: Readonly<Record<FieldSet, readonly string[]>>,
): Html {
  const mark = (set: FieldSet) => (has[set].includes(name) ? YES : NO);
  return html`<tr><th scope="row"><code>${name}</code> <span class="type">${type}</span></th>${mark("free")}${mark("paid")}<td>${prose(note)}</td></tr>
`;
}

/** The configured plans; a sentence when they are not known. */
export function planTable(plans: Plans | null): Html {
  if (plans === null)
    return html`<p>Plans are set up by whoever runs the service. Each has the free or the paid fields, and a number of
requests that are included in a month.</p>`;
  const hasLimits = [...plans.values()].some(({ limits }) => limits !== undefined);
  return html`<div class="table"><table>
<thead><tr><th scope="col">Plan</th><th scope="col">Fields</th><th scope="col" class="amount">Requests a month</th>${hasLimits ? html`<th scope="col">Other limits</th>` : ""}</tr></thead>
<tbody>
${[...plans].map(
  ([
    name,
    { fields, monthlyRequests, limits },
  ]) => html`<tr><th scope="row"><code>${name}</code></th><td>${fields}</td><td class="amount">${monthlyRequests.toLocaleString("en")}</td>${hasLimits ? html`<td>${limits ? limitsText(limits) : "none"}</td>` : ""}</tr>
`,
)}</tbody>
</table></div>`;
}
