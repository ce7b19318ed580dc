import { html } from "./html.ts";
import { page } from "./page.ts";

/** The first page of the docs site. */
export function startPage(): string {
  return page(
    "Where is this address",
    html`<h1>Where is this address</h1>
<p>This service tells a caller where its own IP address is: country, city, time zone, network. The place is that of the
address, not of a device. A VPN, a company's proxy or a mobile network can put it somewhere else.</p>
<h2>Ask</h2>
<pre>GET /v1/geo
GET /v1/geo?key=YOUR_KEY&amp;fields=country,city</pre>
<p>Without a key the answer holds the fields of the free tier, a limited number of times an hour for each address. With a
key it holds the fields of the key's plan. Send the key as <code>?key=</code> (best in a browser), in
<code>Authorization: Bearer</code> or in <code>X-API-Key</code>.</p>
<p>A field that is <code>null</code> could not be determined. A field that is absent is not in the plan.
<code>partial</code> is there, and true, when the place is not fully known.</p>
<h2>When it answers with an error</h2>
<p>Each error code has <a href="/errors">a page</a> that says what it means and what to do.</p>
<h2>Privacy</h2>
<p>The IP address of a caller is stored nowhere: in no log, in no file. It is in the answer and nowhere else.</p>
<h2>Where the data comes from</h2>
<p>Whoever runs the service chooses its databases. The ones it fetches by default are
<a href="https://db-ip.com">IP Geolocation by DB-IP</a> for places, and for networks a database made from
<a href="https://www.routeviews.org/routeviews/">RouteViews</a>, <a href="https://db-ip.com">DB-IP</a> and
<a href="https://www.nro.net/">NRO</a>; all under
<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>. Pages that show or use answers made from DB-IP's
data must link to DB-IP.</p>`,
  );
}
