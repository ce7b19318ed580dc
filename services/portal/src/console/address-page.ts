import { type Html, html } from "../html.ts";
import { type AddressFound, addressResult } from "./address-result.ts";
import { field } from "./fields.ts";

export const ADDRESS_PATH = "/console/address";

/** The values of the page's two forms: an address in the first, a request in the second. */
export interface AddressInput {
  address: string;
  /** Where the connection comes from. */
  peer: string;
  /** The request's X-Forwarded-For. */
  forwardedFor: string;
  trustProxy: string;
}

/** How the caller of a request was determined. */
export interface Walk {
  steps: readonly { hop: string; says: string }[];
  caller: string;
  notes: readonly string[];
}

/** The forms for looking up an address, and the result. @param options.hidden the CSRF token's field. */
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
<p class="lede">See what callers from an IP address get, what each database contains for it, and which geofeed corrects it. The
address is never stored or logged.</p>
<form class="stacked" method="post" action="${ADDRESS_PATH}">
${hidden}${field({ name: "address", label: "IP address", value: input.address, problem: problemOf("address"), ...ADDRESS })}
<button class="primary">Look up</button>
</form>
<details class="panel"${isRequest ? OPEN : ""}><summary>Find the caller of a request</summary>
<p>Behind a proxy, the connection comes from the proxy, and the visitor's address is in <code>X-Forwarded-For</code>. Anyone can send
that header, so gateways trust it only from addresses in <code>TRUST_PROXY</code>. They read it from right to left and stop at the
first address that isn't trusted: the caller. This deployment has <code>TRUST_PROXY=${trustProxy}</code>.</p>
<form class="stacked" method="post" action="${ADDRESS_PATH}">
${hidden}<input type="hidden" name="request" value="1">${field({ name: "peer", label: "Connection from", value: input.peer, problem: problemOf("peer"), ...ADDRESS, hint: "The address that connects to the gateway, such as the proxy's." })}
${field({ name: "forwardedFor", label: "X-Forwarded-For", value: input.forwardedFor, problem: problemOf("forwardedFor"), maxLength: MAX_FORWARDED_LENGTH, hint: "Leave empty if the request doesn't have this header." })}
${field({ name: "trustProxy", label: "TRUST_PROXY", value: input.trustProxy, problem: problemOf("trustProxy"), maxLength: 2_000, isRequired: true, hint: "none, or addresses, CIDRs and names such as loopback. Other values are tried only here; the setting doesn't change." })}
<button>Find the caller</button>
</form>
</details>
${walk === undefined ? "" : walkView(walk)}${found === undefined ? "" : addressResult(found)}`;
}

const OPEN = html` open`;
const ADDRESS = { maxLength: 45, isRequired: true };
/** Longer than any header that gateways accept. */
export const MAX_FORWARDED_LENGTH = 8_000;

/** For a deployment without a geo service. */
export function addressesNotSetUp(): Html {
  return html`<h1>Look up an address</h1>
<p>This page shows what the databases and geofeeds contain for an address. To enable it, set the portal's <code>GEO_URL</code> to the
geo service.</p>`;
}

function walkView({ steps, caller, notes }: Walk): Html {
  return html`<section aria-labelledby="walk"><h2 id="walk">The caller is ${caller}</h2>
<ol class="walk">
${steps.map(({ hop, says }) => html`<li><code>${hop}</code> ${says}</li>\n`)}</ol>
${notes.map((note) => html`<p>${note}.</p>\n`)}</section>
`;
}
