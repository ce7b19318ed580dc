import type { ExplainResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/ExplainResponse.ts";
import type { Located__Output as Located } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import { type Html, html } from "../html.ts";
import { errorBox } from "./error-box.ts";

export const ADDRESS_PATH = "/console/address";

/** The form that looks an address up, and what was found. @param options.hidden the CSRF token's field. */
export function addressPage(options: {
  address: string;
  hidden: Html;
  problem?: string;
  found?: ExplainResponse__Output;
}): Html {
  const { address, hidden, problem, found } = options;
  return html`<h1>Look up an address</h1>
<p class="lede">See what each database has for an IP address, and which geofeed corrects it. The address is never stored or logged.</p>
<form class="stacked" method="post" action="${ADDRESS_PATH}">
${hidden}${problem === undefined ? "" : errorBox(problem)}<label for="address">IP address</label>
<input id="address" name="address" value="${address}" maxlength="45" autocomplete="off" spellcheck="false" required>
<button class="primary">Look up</button>
</form>
${found === undefined ? "" : result(found)}`;
}

/** For a deployment without a geo service to ask. */
export function addressesNotSetUp(): Html {
  return html`<h1>Look up an address</h1>
<p>This page shows what the databases and geofeeds have for an address. To set it up, set <code>GEO_URL</code> of the portal to the
geo service.</p>`;
}

function result({ result: together, sources }: ExplainResponse__Output): Html {
  const applied = sources.find(({ prefix }) => prefix);
  const rule = applied
    ? html`<p>The geofeed <strong>${applied.name ?? ""}</strong> corrects this address with its prefix <code>${applied.prefix ?? ""}</code>.</p>`
    : html`<p>No geofeed corrects this address.</p>`;
  return html`<section aria-labelledby="result"><h2 id="result">Response</h2>
<p id="together">${placeText(together)}</p>
${rule}
<div class="table"><table>
<thead><tr><th scope="col">Source</th><th scope="col">Prefix</th><th scope="col">Has</th></tr></thead>
<tbody>
${sources.map(
  (source) => html`<tr>
<th scope="row">${source.name ?? ""}<span class="sub">${kindOf(source, source === applied)}</span></th>
<td data-label="Prefix">${source.prefix ? html`<code>${source.prefix}</code>` : ""}</td>
<td data-label="Has">${placeText(source.located)}</td>
</tr>
`,
)}</tbody>
</table></div>
</section>`;
}

function kindOf({ prefix }: { prefix?: string }, applies: boolean): string {
  if (!prefix) return "database";
  return applies ? "geofeed, applies" : "geofeed, overridden";
}

const NOTHING: Readonly<Record<string, string>> = {
  NON_PUBLIC: "Nothing: it isn't a public address",
  NOT_FOUND: "Nothing",
  FAILED: "Nothing: the lookup failed, the database is damaged",
};

/** @param located null over gRPC if there is none. */
function placeText(located: Located | null | undefined): string {
  const { place, reason = "NOT_FOUND" } = located ?? {};
  if (NOTHING[reason] !== undefined) return NOTHING[reason];
  const { city, region, country, latitude, longitude, timezone, postalCode, asn, asOrganization } = place ?? {};
  const position = latitude === undefined ? undefined : `${latitude},${longitude}`;
  const network = asn === undefined ? undefined : `AS${asn}${asOrganization === undefined ? "" : ` ${asOrganization}`}`;
  const known = [postalCode, city, region, country, position, timezone, network].filter((each) => each !== undefined);
  return known.length === 0 ? "No location" : known.join(", ");
}
