import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import type { DatabaseCredit, Site } from "../site.ts";
import { codeBlock } from "./code.ts";
import { creditLink } from "./credits.ts";
import { SNIPPET_SCRIPTS } from "./snippets.ts";

/** The loaded databases, with what their licenses ask to be shown. */
export async function dataPage(site: Site): Promise<string> {
  const databases = await site.databases();
  return page(
    "Data sources",
    html`<h1>Data sources</h1>
<p class="lede">Whoever runs the service chooses its databases. The first one wins; what it does not know is filled from
the next.</p>
${databases === null || databases.length === 0 ? unknown() : loaded(databases)}
<h2>What is derived</h2>
<p>Country names, continents, EU membership, currencies and languages are filled from tables of the service where the
databases say nothing. An operator can correct places with a geofeed (RFC 8805).</p>
<h2>The map</h2>
<p>The map on the start page is drawn from <a href="https://www.naturalearthdata.com">Natural Earth</a>, which is in the
public domain.</p>`,
    { path: "/data", scripts: SNIPPET_SCRIPTS },
  );
}

function loaded(databases: readonly DatabaseCredit[]): Html {
  const asked = [...new Map(databases.map((database) => [database.attribution, database])).values()].filter(
    ({ attribution }) => attribution !== "",
  );
  return html`<h2>In use now</h2>
<div class="table"><table>
<thead><tr><th scope="col">Database</th><th scope="col">Credit</th></tr></thead>
<tbody>
${databases.map(
  (
    database,
  ) => html`<tr><th scope="row"><code>${database.name}</code> <span class="type">${database.databaseType}, ${builtOn(database)}</span></th><td>${
    database.attribution === "" ? "none asked for, as far as is known" : creditLink(database)
  }</td></tr>
`,
)}</tbody>
</table></div>
${
  asked.length === 0
    ? ""
    : html`<h2>If you show answers</h2>
<p>Pages that show or use these answers must give the same credit, with its link. As markup:</p>
${asked.map((credit) => codeBlock(creditLink(credit).text, "HTML"))}${
  asked.some(({ attribution }) => attribution.includes("CC BY 4.0"))
    ? html`\n<p>What the license asks for besides: <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>.</p>`
    : ""
}`
}`;
}

function unknown(): Html {
  return html`<p class="note">This page could not learn just now which databases are loaded.</p>
<p>The ones that the service fetches by default are <a href="https://db-ip.com">IP Geolocation by DB-IP</a> for places, and
for networks a database made from <a href="https://www.routeviews.org/routeviews/">RouteViews</a>,
<a href="https://db-ip.com">DB-IP</a> and <a href="https://www.nro.net/">NRO</a>; all under
<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>. Pages that show or use answers made from them
must give this credit, with its links.</p>`;
}

function builtOn({ buildUnixSeconds }: DatabaseCredit): Html {
  if (buildUnixSeconds === 0) return html`build date not known`;
  const date = new Date(buildUnixSeconds * 1000).toISOString().slice(0, 10);
  return html`built <time datetime="${date}">${date}</time>`;
}
