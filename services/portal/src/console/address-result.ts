import { isPartial } from "@geolookup/shared/domain/partial.ts";
import { FIELDS_OF, type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import type { ExplainResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/ExplainResponse.ts";
import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { mapOf } from "../docs/world-map.ts";
import { type Html, html, prose } from "../html.ts";
import { appliedFeed, type ExplainedField, explainFields, placeText, recordOf } from "./address-fields.ts";
import { day } from "./format.ts";

/** What the page shows about an address. */
export interface AddressFound {
  /** Canonical text. */
  address: string;
  explained: ExplainResponse__Output;
  /** The loaded databases; null if unavailable. */
  databases: readonly DatabaseCredit[] | null;
  /** The fields that these databases never have. */
  never: ReadonlySet<string>;
}

const FREE: ReadonlySet<string> = new Set(FIELDS_OF.free);

/** The record of an address, its corrections, and what each source has. */
export function addressResult({ address, explained, databases, never }: AddressFound): Html {
  const { result, sources } = explained;
  const fields = explainFields(explained, never);
  const applied = appliedFeed(sources);
  return html`<section aria-labelledby="result"><h2 id="result">Record for ${address}</h2>
<div class="located"><div><p id="together">${placeText(result)}</p>
<p>${prose(partialText(fields))}</p></div>
${mapIfLocated(result)}</div>
<div class="table"><table class="record">
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Source, or why it's null</th><th scope="col">Plan</th></tr></thead>
<tbody>
${fields.map(fieldRow)}</tbody>
</table></div>
<h2>Corrections</h2>
${
  applied
    ? html`<p>The geofeed <strong>${applied.name ?? ""}</strong> corrects this address with its prefix <code>${applied.prefix ?? ""}</code>.</p>`
    : html`<p>No geofeed corrects this address. If its location is wrong, <a href="/console/guides/data#correct-locations">correct it with a geofeed</a>.</p>`
}
<h2>Sources</h2>
<div class="table"><table>
<thead><tr><th scope="col">Source</th><th scope="col">Prefix</th><th scope="col">Data</th></tr></thead>
<tbody>
${sources.map(
  (source) => html`<tr>
<th scope="row">${source.name ?? ""}<span class="sub">${aboutSource(source, source === applied, databases)}</span></th>
<td data-label="Prefix">${source.prefix ? html`<code>${source.prefix}</code>` : ""}</td>
<td data-label="Data">${placeText(source.located)}</td>
</tr>
`,
)}</tbody>
</table></div>
</section>`;
}

function mapIfLocated(result: ExplainResponse__Output["result"]): Html {
  const { latitude = null, longitude = null } = recordOf(result);
  return latitude === null || longitude === null ? html`` : mapOf(latitude, longitude);
}

function fieldRow({ name, value, because }: ExplainedField): Html {
  return html`<tr><th scope="row"><code>${name}</code></th><td>${value ?? html`<code class="no">null</code>`}</td><td>${because}</td><td>${FREE.has(name) ? "free" : "paid"}</td></tr>
`;
}

/** Whether responses have `partial`, which depends only on which fields are null. */
function partialText(fields: readonly ExplainedField[]): string {
  const values = fields.map(({ name, value }) => [name, value] as const);
  const place = { ...UNKNOWN_PLACE, ...Object.fromEntries(values) } as Place;
  if (isPartial(place, "free")) return "Responses have `partial: true`, on every plan.";
  if (isPartial(place, "paid"))
    return "Responses with the paid fields have `partial: true`; those with the free fields don't.";
  return "Responses are complete: they don't have `partial`.";
}

function aboutSource(
  { name, prefix }: { name?: string; prefix?: string },
  applies: boolean,
  databases: readonly DatabaseCredit[] | null,
): Html {
  if (prefix) return html`geofeed, ${applies ? "applies" : "overridden"}`;
  const database = databases?.find((each) => each.name === name);
  if (database === undefined) return html`database`;
  const { databaseType, buildUnixSeconds } = database;
  const built = buildUnixSeconds === 0 ? "" : html`, built ${day(new Date(buildUnixSeconds * 1_000).toISOString())}`;
  return html`database, ${databaseType}${built}`;
}
