import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import type { KeylessRules, Site } from "../site.ts";
import { planTable } from "./fields-page.ts";

/** How many requests are answered, and how a caller knows (contract, section 8). */
export function limitsPage(site: Site): string {
  return page(
    "Limits",
    html`<h1>Limits</h1>
<p class="lede">${
      site.keyless.hourlyLimit === null
        ? "Requests are counted by the month."
        : "Requests are counted by the hour without a key, and by the month with one."
    }</p>
<h2>Without a key</h2>
${withoutKey(site.keyless)}
<h2>With a key</h2>
${planTable(site.plans())}
<p>Months are calendar months in UTC. Only answered requests (status 200) count, those with <code>partial</code> and those
by HEAD too. A refused request costs nothing. Beyond the plan the answer is 429
<a href="/errors/quota_exceeded"><code>quota_exceeded</code></a>.</p>
${besidesTheMonth(site)}<h2>Headers</h2>
<p>Every 200 and every 429 says where you stand. A 200 with a key reports the month; a 429 reports the limit that was
reached.</p>
<div class="table"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row"><code>X-RateLimit-Limit</code></th><td>Requests included in this period</td></tr>
<tr><th scope="row"><code>X-RateLimit-Remaining</code></th><td>Requests left</td></tr>
<tr><th scope="row"><code>X-RateLimit-Reset</code></th><td>When the period resets, in Unix seconds</td></tr>
<tr><th scope="row"><code>Retry-After</code></th><td>Seconds to wait; with 429 and 500 only</td></tr>
</tbody>
</table></div>
<p>Pages on other origins can read all four.</p>
<h2>Caching</h2>
<p>An answer may be kept by the caller's own cache for 300 seconds (<code>Cache-Control: private, max-age=300</code>). A
browser then asks again only after that time. Errors are not kept. The answer to a preflight is kept for a day.</p>
<h2>At capacity</h2>
<p>When the service has more requests than it can take, it refuses some at once, with 500
<a href="/errors/internal_error"><code>internal_error</code></a> and <code>Retry-After</code>.</p>`,
    { path: "/limits" },
  );
}

/** How the other limits of plans work, if a plan has any or the plans are unknown. */
function besidesTheMonth({ keyless, plans: read }: Site): Html {
  const plans = read();
  if (plans !== null && ![...plans.values()].some(({ limits }) => limits !== undefined)) return html``;
  return html`<h3>Per caller and per second</h3>
<p>A plan can also limit the requests an hour of each ${callerText(keyless)} that uses a key, and the requests a second of the
key, with bursts above that rate. They protect the month's quota of a publishable key, which anyone can copy from a page. A
caller's hour begins with its first request. Beyond either limit the response is 429
<a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>
`;
}

function callerText({ ipv6Prefix }: KeylessRules): string {
  return ipv6Prefix === 128 ? "address" : `address, or IPv6 network (/${ipv6Prefix})`;
}

function withoutKey(keyless: KeylessRules): Html {
  const { hourlyLimit } = keyless;
  if (hourlyLimit === null)
    return html`<p>This service asks for a key: a request without one is refused with 401
<a href="/errors/missing_key"><code>missing_key</code></a>.</p>`;
  return html`<p><strong>${hourlyLimit.toLocaleString("en")} requests an hour</strong> for each ${callerText(keyless)}. The hour begins with the
first request. Beyond it the answer is 429 <a href="/errors/rate_limited"><code>rate_limited</code></a>.</p>`;
}
