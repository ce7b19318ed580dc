import type { DeploymentInfo, KeylessRules } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { docsPage } from "./docs-page.ts";
import { planTable } from "./fields-page.ts";

/** How many requests a caller can send, and the headers that report it (contract, section 8). */
export function limitsPage(deployment: DeploymentInfo): string {
  return docsPage(
    "Limits",
    html`<h1>Limits</h1>
<p class="lede">${
      deployment.keyless.hourlyLimit === null
        ? "Requests are limited per month."
        : "Requests are limited per hour without a key, and per month with one."
    }</p>
<h2>Without a key</h2>
${keylessLimit(deployment.keyless)}
<h2>With a key</h2>
${planTable(deployment.plans())}
<p>Months are calendar months in UTC. Once the quota is used up, requests return 429
<a href="/errors/quota_exceeded"><code>quota_exceeded</code></a>.</p>
${planLimits(deployment)}<h2>What counts</h2>
<p>Quotas and billing count the same requests of a key: each one with status 200, once. That includes HEAD requests,
responses with <code>partial</code>, and lookups of a back end's visitors.</p>
<p>Everything else is free: refused requests (401, 403, 404 and 429), failures (500), preflights, and responses that a client
takes from its cache. Lookups by a proxy in front of a site use no key and aren't counted.</p>
<h2>Headers</h2>
<p>Every 200 and 429 response reports your usage. With a key, a 200 reports the monthly quota; a 429 reports the limit that
was reached.</p>
<div class="table"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row"><code>X-RateLimit-Limit</code></th><td>Requests included in this period</td></tr>
<tr><th scope="row"><code>X-RateLimit-Remaining</code></th><td>Requests left</td></tr>
<tr><th scope="row"><code>X-RateLimit-Reset</code></th><td>When the period resets, in Unix seconds</td></tr>
<tr><th scope="row"><code>Retry-After</code></th><td>Seconds to wait (429 and 500 only)</td></tr>
</tbody>
</table></div>
<p>Web pages on other origins can read all four headers.</p>
<h2>Caching</h2>
<p>Clients can cache a response for 300 seconds (<code>Cache-Control: private, max-age=300</code>); browsers do this
automatically. Errors aren't cached. Preflight responses are cached for a day.</p>
<h2>Overload</h2>
<p>When the service is overloaded, requests wait briefly. Those that can't be served in time get 500
<a href="/errors/internal_error"><code>internal_error</code></a> and <code>Retry-After</code>.</p>`,
    { path: "/limits" },
  );
}

/** How the limits per caller and per second work, unless no plan has them. */
function planLimits({ keyless, plans: read }: DeploymentInfo): Html {
  const plans = read();
  if (plans !== null && ![...plans.values()].some(({ limits }) => limits !== undefined)) return html``;
  return html`<h3>Per caller and per second</h3>
<p>A plan can also limit the requests per hour from each ${callerText(keyless)} that uses a key, and the requests per second
for the key, with bursts above that rate. These limits protect the monthly quota of publishable keys, which anyone can copy
from a page. A caller's hour starts with its first request. Once a limit is reached, requests return 429
<a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>
`;
}

function callerText({ ipv6Prefix }: KeylessRules): string {
  return ipv6Prefix === 128 ? "IP address" : `IP address (for IPv6: each /${ipv6Prefix} network)`;
}

function keylessLimit(keyless: KeylessRules): Html {
  const { hourlyLimit } = keyless;
  if (hourlyLimit === null)
    return html`<p>This service requires a key. A request without one returns 401
<a href="/errors/missing_key"><code>missing_key</code></a>.</p>`;
  return html`<p><strong>${hourlyLimit.toLocaleString("en")} requests per hour</strong> for each ${callerText(keyless)}. The hour starts with the
first request. Once the limit is reached, requests return 429 <a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>`;
}
