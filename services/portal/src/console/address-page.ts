import { type Html, html } from "../html.ts";
import { type AddressFound, addressResult } from "./address-result.ts";
import { field } from "./field.ts";

export const ADDRESS_PATH = "/console/address";

/** What the forms of the page have; the first one has an address, the second one a request. */
export interface AddressInput {
  address: string;
  /** Where the connection comes from. */
  peer: string;
  /** The request's X-Forwarded-For. */
  forwardedFor: string;
  trustProxy: string;
}

/** How a request leads to its caller. */
export interface Walk {
  steps: readonly { hop: string; says: string }[];
  caller: string;
}

/** The forms that look an address up, and what was found. @param options.hidden the CSRF token's field. */
export function addressPage(options: {
  input: AddressInput;
  hidden: Html;
  /** The gateways' setting. */
  trustProxy: string;
  problem?: { of: keyof AddressInput; text: string };
  walk?: Walk;
  found?: AddressFound;
}): Html {
  const { input, hidden, trustProxy, problem, walk, found } = options;
  const problemOf = (name: keyof AddressInput) => (problem?.of === name ? problem.text : undefined);
  const isRequest = walk !== undefined || (problem !== undefined && problem.of !== "address");
  return html`<h1>Look up an address</h1>
<p class="lede">See what callers from an IP address get, what each database has for it, and which geofeed corrects it. The address is
never stored or logged.</p>
<form class="stacked" method="post" action="${ADDRESS_PATH}">
${hidden}${field({ name: "address", label: "IP address", value: input.address, problem: problemOf("address"), ...ADDRESS })}
<button class="primary">Look up</button>
</form>
<details class="panel"${isRequest ? OPEN : ""}><summary>Which address does a request have?</summary>
<p>Behind a proxy, the connection comes from the proxy, and the visitor's address is in <code>X-Forwarded-For</code>. Anyone can send
that header, so a gateway only believes it from the addresses in <code>TRUST_PROXY</code>: it reads the header from right to left,
as long as each address is trusted. This deployment has
<code>TRUST_PROXY=${trustProxy}</code>.</p>
<form class="stacked" method="post" action="${ADDRESS_PATH}">
${hidden}<input type="hidden" name="request" value="1">${field({ name: "peer", label: "Connection from", value: input.peer, problem: problemOf("peer"), ...ADDRESS, hint: "The address that connects to the gateway, such as the proxy's." })}
${field({ name: "forwardedFor", label: "X-Forwarded-For", value: input.forwardedFor, problem: problemOf("forwardedFor"), maxLength: MAX_FORWARDED_LENGTH, hint: "Leave empty if the request doesn't have this header." })}
${field({ name: "trustProxy", label: "TRUST_PROXY", value: input.trustProxy, problem: problemOf("trustProxy"), maxLength: 2_000, isRequired: true, hint: "none, or addresses, CIDRs and names such as loopback. Try other values: this changes nothing." })}
<button>Find the caller</button>
</form>
</details>
${walk === undefined ? "" : walkView(walk)}${found === undefined ? "" : addressResult(found)}`;
}

const OPEN = html` open`;
const ADDRESS = { maxLength: 45, isRequired: true };
/** More than any header that gateways accept would fit into the form. */
export const MAX_FORWARDED_LENGTH = 8_000;

/** For a deployment without a geo service to ask. */
export function addressesNotSetUp(): Html {
  return html`<h1>Look up an address</h1>
<p>This page shows what the databases and geofeeds have for an address. To set it up, set <code>GEO_URL</code> of the portal to the
geo service.</p>`;
}

function walkView({ steps, caller }: Walk): Html {
  return html`<section aria-labelledby="walk"><h2 id="walk">The caller is ${caller}</h2>
<ol class="walk">
${steps.map(({ hop, says }) => html`<li><code>${hop}</code> ${says}</li>\n`)}</ol>
</section>
`;
}
