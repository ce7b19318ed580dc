import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { type Html, html } from "../html.ts";
import { barTable } from "./bar-table.ts";
import { countryName, MEASURES, quantity, regionCodeRows } from "./shares.ts";

/** How many networks have a region code, and which regions lack one. */
export function regionCodeView(regionCodes: DataReport["regionCodes"]): Html {
  const { missing } = regionCodes;
  return html`<h2>Region codes</h2>
<p>This counts only countries that have codes in ISO 3166-2. Some data has no region for an address, or one that ISO 3166-2 doesn't have.</p>
${barTable(
  "Region codes",
  ["Share with a code", ...MEASURES.map(({ label }) => label)],
  regionCodeRows(regionCodes).map(({ name, shares }) => ({ name, cells: shares.map((share) => ({ share })) })),
)}
${
  missing.length === 0
    ? ""
    : html`<details><summary>Regions without a code</summary>
${barTable(
  "Regions without a code",
  ["Country", "Region in the data", "IPv4 networks", "IPv6 networks"],
  missing.map(({ country, region, ipv4, ipv6 }) => ({
    name: countryName(country),
    cells: [region ?? "none", { number: quantity(ipv4[0]) }, { number: quantity(ipv6[0]) }],
  })),
)}</details>
`
}`;
}
