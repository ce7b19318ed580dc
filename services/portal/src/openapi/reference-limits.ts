import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { fieldsText, hasLimits, limitsText } from "@geolookup/shared/domain/plans.ts";
import type { DeploymentInfo, KeylessRules } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";

/** How many requests a caller can send (contract, section 8), and the deployment's plans. */
export function limitsSection({ keyless, plans: read }: DeploymentInfo): Html {
  const plans = read();
  return html`<h2 id="limits">Limits</h2>
<h3 id="keyless">Without a key</h3>
${keylessLimit(keyless)}
<h3 id="plans">Plans</h3>
${planTable(plans)}
<p>Months are calendar months in UTC. Once the quota is used up, requests return 429
<a href="/errors/quota_exceeded"><code>quota_exceeded</code></a>.</p>
${plans === null || hasLimits(plans) ? planLimits(keyless) : ""}<h3 id="what-counts">What counts</h3>
<p>Each request with status 200 counts once, for the quota and for billing. That includes HEAD requests, responses with
<code>partial</code>, and lookups of a back end's visitors. Refused requests, errors, preflights, and responses that a client takes from
its cache don't count.</p>
<h3 id="caching">Caching</h3>
<p>Clients can cache a response for 300 seconds; browsers do so automatically. Errors aren't cached.</p>`;
}

function keylessLimit(keyless: KeylessRules): Html {
  const { hourlyLimit } = keyless;
  if (hourlyLimit === null)
    return html`<p>A request without a key returns 401 <a href="/errors/missing_key"><code>missing_key</code></a>.</p>`;
  return html`<p><strong>${hourlyLimit.toLocaleString("en")} requests per hour</strong> for each ${callerText(keyless)}. The hour starts
with the first request. Once the limit is reached, requests return 429 <a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>`;
}

/** The configured plans, or a sentence if they are unknown. */
function planTable(plans: Plans | null): Html {
  if (plans === null)
    return html`<p>The operator of this service defines the plans. Each plan includes the free or the paid fields and a
number of requests per month.</p>`;
  const isLimited = hasLimits(plans);
  return html`<div class="table"><table>
<thead><tr><th scope="col">Plan</th><th scope="col">Fields</th><th scope="col" class="number">Requests per month</th>${isLimited ? html`<th scope="col">Other limits</th>` : ""}</tr></thead>
<tbody>
${[...plans].map(
  ([
    name,
    { fields, monthlyRequests, limits },
  ]) => html`<tr><th scope="row"><code>${name}</code></th><td>${fieldsText(fields)}</td><td class="number">${monthlyRequests.toLocaleString("en")}</td>${isLimited ? html`<td>${limits ? limitsText(limits) : "none"}</td>` : ""}</tr>
`,
)}</tbody>
</table></div>`;
}

/** How the limits per caller and per second work. */
function planLimits(keyless: KeylessRules): Html {
  return html`<p>A plan can also limit the requests per hour from each ${callerText(keyless)} that uses a key, and the requests per second
for the key, with bursts above that rate. Once such a limit is reached, requests return 429
<a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>
`;
}

function callerText({ ipv6Prefix }: KeylessRules): string {
  return ipv6Prefix === 128 ? "IP address" : `IP address (for IPv6: each /${ipv6Prefix} network)`;
}
