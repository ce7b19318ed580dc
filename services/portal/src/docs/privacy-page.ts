import { type DeploymentInfo, hasAccount } from "../deployment/deployment-info.ts";
import { html } from "../html.ts";
import { type DocsPage, docsPage } from "./docs-page.ts";

/** What happens to a caller's IP address (contract, section 1). */
export function privacyPage({ site }: Pick<DeploymentInfo, "site">): DocsPage {
  return docsPage(
    "Privacy",
    html`<h1>Privacy</h1>
<p class="lede">A caller's IP address appears in the response and nowhere else.</p>
<h2>Your IP address</h2>
<p>Your IP address is held in memory while your request is processed, and returned in the response if your plan includes the field
<code>ip</code>. It is never written to a log, file, table, metric or stream. Locations may be
cached in memory by network (a /24 or /27 for IPv4, a /48 for IPv6), never by address.</p>
<h2>Hourly limits</h2>
<p>To count requests per hour, the service keeps a keyed hash (truncated HMAC-SHA256) of the IP address, or of the
network for IPv6. It uses the hash for one hour and deletes it within about two. Hashes are kept in memory only, and the
hash secret is stored separately.</p>
<h2>Keys and usage counts</h2>
<p>For each key, the service stores its plan, label and origins, a hash of the key and its display form, and the number of
successful requests per day, and of refused requests per day and error code. Usage counts don't include IP addresses.</p>
<h2>Request log</h2>
<p>A log line contains the method, route, status, error code, duration, key ID and plan. It never contains the URL, IP
address, user agent or key. By default, only errors are logged.</p>
<h2>This website</h2>
<p>These pages set no cookies and load nothing from other hosts. The live demo is a request from your browser to the API,
like any other. If you enter a key to fill in the examples, it stays in that tab.${
      hasAccount(site)
        ? html` <a href="/account">Your usage</a> sends the secret key that you enter to this service, which doesn't store or log it.`
        : ""
    }</p>
<h2>Accuracy</h2>
<p>Coordinates are those of a city, derived from the IP address. They don't locate a device or a person. A VPN, a
corporate proxy or a mobile network can make a caller appear somewhere else.</p>
<h2>What this page doesn't cover</h2>
<p>A proxy in front of the service keeps its own logs. Ask the operator of this service about them.</p>`,
    { path: "/privacy" },
  );
}
