import { html } from "../html.ts";
import { page } from "../page.ts";

/** What becomes of a caller's address (contract, section 1; design, section 5). */
export function privacyPage(): string {
  return page(
    "Privacy",
    html`<h1>Privacy</h1>
<p class="lede">A caller's IP address is in the answer and nowhere else.</p>
<h2>Your address</h2>
<p>It is in the memory of its request while that is answered, and in the body of the answer if the plan has the field
<code>ip</code>. It is written nowhere: to no log, file, table, metric or stream.</p>
<h2>The hourly limit</h2>
<p>To count requests without a key, the service remembers a keyed hash (HMAC-SHA256, shortened) of the address, or of an
IPv6 address's network, for at most an hour. It is in memory only, and the secret of the hash is kept apart from it.</p>
<h2>Keys and counts</h2>
<p>What is kept of a key is its plan, label and origins, a hash of it and a display form, and how many requests were
answered on each day. No count has an address.</p>
<h2>The request log</h2>
<p>One line of method, route, status, error code, duration, key ID and plan. It never has the URL, the address, the browser
or the key. By default only errors are logged.</p>
<h2>This site</h2>
<p>These pages set no cookies and load nothing from other hosts. The live demo is a request from your browser to the API,
like anybody's. A key that you type in to fill the examples stays in that tab.</p>
<h2>Accuracy</h2>
<p>Coordinates are those of a city, derived from the address. They are not the place of a device or of a person. A VPN, a
company's proxy or a mobile network can put a caller somewhere else.</p>
<h2>What this page cannot promise</h2>
<p>A proxy in front of the service has a log of its own. Ask whoever runs this service.</p>`,
    { path: "/privacy" },
  );
}
