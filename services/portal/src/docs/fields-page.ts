import { FIELD_CATALOG, type FieldSet, PARTIAL_NOTE } from "@geolookup/shared/domain/catalog.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { limitsText } from "@geolookup/shared/domain/plans.ts";
import { FIELDS, FIELDS_OF } from "@geolookup/shared/domain/record.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html, prose } from "../html.ts";
import { jsonBlock } from "./code.ts";
import { docsPage } from "./docs-page.ts";
import { EXAMPLE_RECORD, UNKNOWN_FREE_RECORD } from "./examples.ts";

/** Every field of the record with the plans that include it, and the deployment's plans. */
export function fieldsPage(deployment: DeploymentInfo): string {
  return docsPage(
    "Fields and plans",
    html`<h1>Fields and plans</h1>
<p class="lede">The plan of your key determines the fields in the response.${deployment.keyless.hourlyLimit === null ? "" : " Without a key, you get the free fields."}</p>
<div class="table"><table>
<thead><tr><th scope="col">Field</th><th scope="col" class="mark">Free</th><th scope="col" class="mark">Paid</th>
<th scope="col">Description</th></tr></thead>
<tbody>
${FIELDS.map((name) => fieldRow(name, FIELD_CATALOG[name], FIELDS_OF))}${fieldRow("partial", { type: "true", note: PARTIAL_NOTE }, { free: ["partial"], paid: ["partial"] })}</tbody>
</table></div>
<h2 id="null">Null vs. missing fields</h2>
<p><code>null</code> means that the value couldn't be determined; any field can be <code>null</code>. A
<strong>missing</strong> field is not on your plan, or not in the <code>fields</code> that you requested.
<code>partial</code> is <code>true</code> if your plan includes country, continent, region, city, time zone or coordinates
and any of them is <code>null</code>. Postal codes, networks and metro codes don't count.</p>
<p>An unknown location is never an error. If nothing is known about the address, a response with the free fields looks like
this, with status 200:</p>
${jsonBlock(UNKNOWN_FREE_RECORD)}
<h2 id="select">Request fewer fields</h2>
<p><code>?fields=country,city</code> limits the response to those fields. It can't add fields that aren't on your plan.
Unknown names are ignored. If a name is unknown or not on your plan, the response header
<code>X-Geolookup-Notice</code> says so.</p>
<h2 id="plans">Plans</h2>
${planTable(deployment.plans())}
<h2>Complete record</h2>
${jsonBlock(EXAMPLE_RECORD)}`,
    { path: "/fields" },
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

/** The configured plans, or a sentence if they are unknown. */
export function planTable(plans: Plans | null): Html {
  if (plans === null)
    return html`<p>The operator of this service defines the plans. Each plan includes the free or the paid fields and a
number of requests per month.</p>`;
  const hasLimits = [...plans.values()].some(({ limits }) => limits !== undefined);
  return html`<div class="table"><table>
<thead><tr><th scope="col">Plan</th><th scope="col">Fields</th><th scope="col" class="amount">Requests per month</th>${hasLimits ? html`<th scope="col">Other limits</th>` : ""}</tr></thead>
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
