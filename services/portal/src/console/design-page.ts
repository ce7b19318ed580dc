import { codeBlock, jsonBlock } from "../docs/code.ts";
import { mapOf } from "../docs/world-map.ts";
import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import { barChart } from "./chart.ts";
import { statusBadge } from "./format.ts";
import { quotaBar } from "./quota.ts";
import { warningText } from "./warning-text.ts";

const COLORS = ["ground", "raised", "sunken", "line", "text", "muted", "accent", "pin", "water", "land"];
const SIZES = ["xs", "s", "m", "l", "body", "lede", "h2", "figure", "h1", "hero"];
const THEMES = ["light", "dark"] as const;

/** Every component of the docs site and the console in both themes, for their developers and for tests. */
export function designPage(): string {
  return page(
    "Design system",
    html`<h1>Design system</h1>
<p class="lede">The components of the docs site and the console in both themes. Their values are in
<code>services/portal/src/docs/assets/style/tokens.css</code>.</p>
<div class="themes">
${THEMES.map((theme) => html`<section class="theme ${theme}" aria-label="${theme} theme">${components(theme)}</section>\n`)}</div>`,
    { path: "/design", wide: true, styles: ["/assets/design.css"] },
  );
}

function components(theme: string): Html {
  const plans = new Map([["paid", { fields: "paid" as const, monthlyRequests: 1_000 }]]);
  const bars = [12, 30, 0, 1, 55, 41].map((value, index) => ({
    name: `2026-11-0${index + 1}`,
    value,
    isChosen: index === 4,
  }));
  return html`<h2>Colors</h2>
<ul class="swatches">${COLORS.map((name) => html`<li><span class="swatch ${name}"></span>${name}</li>`)}</ul>
<h2>Type</h2>
${SIZES.map((name) => html`<p class="size ${name}">text-${name}</p>`)}
<p>Text with <a href="/design">a link</a>, <code>code</code> and <strong>emphasis</strong>. <span class="hint">A hint.</span></p>
<h2>Buttons</h2>
<p class="buttons"><button type="button" class="primary">Primary</button> <button type="button">Secondary</button>
<button type="button" class="danger">Revoke</button> <button type="button" disabled>Disabled</button> <a class="button" href="/design">Link</a></p>
<h2>Form</h2>
<form class="stacked"><label>Label<input name="label" placeholder="My shop"></label>
<label>Plan<select name="plan"><option>paid</option></select></label>
<fieldset><legend>Kind</legend>
<label class="option"><input type="radio" name="kind-${theme}" checked><span>Publishable<span class="sub">For web pages</span></span></label>
<label class="option"><input type="radio" name="kind-${theme}"><span>Secret<span class="sub">For servers</span></span></label></fieldset></form>
<h2>Messages</h2>
<p class="note">A note.</p>
<p class="problem">That isn't a valid origin.</p>
<section class="problem"><h3>1 warning</h3>
<ul><li><strong>geo at 10.0.0.5:9090</strong> ${warningText("city.mmdb: built 60 days ago. To fix: run ./geolookup data fetch --update")}</li></ul></section>
<p class="empty">No keys yet. Issue the first one.</p>
<h2>Status</h2>
<p>${statusBadge("active")} ${statusBadge("revoked")}</p>
<p>${quotaBar(300, "paid", plans)}</p>
<p>${quotaBar(900, "paid", plans)}</p>
<h2>Table</h2>
<div class="table"><table><thead><tr><th scope="col">Key</th><th scope="col">Plan</th><th scope="col" class="number">Used</th></tr></thead>
<tbody><tr><th scope="row">My shop</th><td>paid</td><td class="number">1,024</td></tr><tr><th scope="row">Blog</th><td>free</td><td class="number">7</td></tr></tbody></table></div>
<h2>Location</h2>
<div class="located"><div><p>London, England, GB</p></div>
${mapOf("51.5143", "-0.0912")}</div>
<h2>Code</h2>
${codeBlock("curl 'https://geo.example.com/v1/geo?key=YOUR_KEY'")}
${jsonBlock({ country: "GB", city: "London", asn: 64501, isEUCountry: false, metroCode: null })}
<h2>Chart</h2>
${barChart("Requests by day", bars)}
<h2>Facts</h2>
<dl class="facts"><div><dt>Plan</dt><dd>paid</dd></div><div><dt>Origins</dt><dd>any</dd></div></dl>`;
}
