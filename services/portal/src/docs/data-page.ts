import type { DatabaseCredit, DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { codeBlock } from "./code.ts";
import { creditLink, credits } from "./credits.ts";
import { type DocsPage, docsPage } from "./docs-page.ts";
import { SNIPPET_SCRIPTS } from "./snippets.ts";

/** The loaded databases, the attributions that their licenses require. @param agreement how far they agree with others. */
export async function dataPage(deployment: DeploymentInfo, agreement: Html): Promise<DocsPage> {
  const databases = await deployment.databases();
  return docsPage(
    "Data sources",
    html`<h1>Data sources</h1>
<p class="lede">The operator of this service chooses its databases. The first database takes precedence; the next ones fill
in what it doesn't know.</p>
${databases === null || databases.length === 0 ? unknown() : loaded(databases)}
<h2>Agreement</h2>
${agreement}
<h2>Derived fields</h2>
<p>If the databases don't provide them, country names, continents, EU membership, currencies and languages come from
built-in tables, and time zones from boundaries that are ©
<a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors
(<a href="https://opendatacommons.org/licenses/odbl/1-0/">ODbL</a>). Operators can correct locations with a geofeed (RFC 8805).</p>
<h2>Map</h2>
<p>The map on the start page is drawn from <a href="https://www.naturalearthdata.com">Natural Earth</a> data, which is in
the public domain.</p>`,
    { path: "/data", scripts: SNIPPET_SCRIPTS },
  );
}

/** The same for programs: `/data.json`. `databases` is null while the list is unavailable. */
export async function dataSources(deployment: DeploymentInfo) {
  const [databases, nextRefreshAt] = await Promise.all([deployment.databases(), deployment.nextRefreshAt()]);
  return {
    databases:
      databases?.map(({ name, databaseType, buildUnixSeconds, attribution, attributionUrl }) => ({
        ...{ name, databaseType, attribution, attributionUrl },
        builtAt: buildUnixSeconds === 0 ? null : new Date(buildUnixSeconds * 1000).toISOString(),
      })) ?? null,
    nextRefreshAt,
  };
}

function loaded(databases: readonly DatabaseCredit[]): Html {
  const required = credits(databases);
  return html`<h2>Databases in use</h2>
<div class="table"><table>
<thead><tr><th scope="col">Database</th><th scope="col">Attribution</th></tr></thead>
<tbody>
${databases.map(
  (
    database,
  ) => html`<tr><th scope="row"><code>${database.name}</code> <span class="type">${database.databaseType}, ${builtOn(database)}</span></th><td>${
    database.attribution === "" ? "none required, as far as we know" : creditLink(database)
  }</td></tr>
`,
)}</tbody>
</table></div>
${
  required.length === 0
    ? ""
    : html`<h2>If you display this data</h2>
<p>Pages that show or use this data must include the same attribution, with its link:</p>
${required.map((credit) => codeBlock(credit.text, "HTML"))}${
  databases.some(({ attribution }) => attribution.includes("CC BY 4.0"))
    ? html`\n<p>For further terms, see the <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a> license.</p>`
    : ""
}`
}`;
}

function unknown(): Html {
  return html`<p class="note">The list of loaded databases is currently unavailable.</p>
<p>By default, the service uses <a href="https://db-ip.com">IP Geolocation by DB-IP</a> for locations, and for networks a
database compiled from <a href="https://www.routeviews.org/routeviews/">RouteViews</a>,
<a href="https://db-ip.com">DB-IP</a> and <a href="https://www.nro.net/">NRO</a>. Both are licensed under
<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>. Pages that show or use this data must include this
attribution, with its links.</p>`;
}

function builtOn({ buildUnixSeconds }: DatabaseCredit): Html {
  if (buildUnixSeconds === 0) return html`build date unknown`;
  const date = new Date(buildUnixSeconds * 1000).toISOString().slice(0, 10);
  return html`built <time datetime="${date}">${date}</time>`;
}
