import type { DatabaseCredit, DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { HEADER_NOTES } from "./assets/header-notes.js";
import { jsonBlock } from "./code.ts";
import { credits } from "./credits.ts";
import { SAMPLE_PLACES, type SamplePlace } from "./sample-places.ts";
import { worldMap } from "./world-map.ts";

const SHOWN_WITHOUT_VALUES = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Cache-Control",
] as const;

/**
 * The live demo: samples to switch between, which works without scripts. A script adds the visitor's own record. What
 * belongs to one place has its ID in `data-place`, and the style sheet shows the selected one.
 */
export function demo(
  { apiUrl, demoKey }: DeploymentInfo,
  databases: readonly DatabaseCredit[] | null,
): { record: Html; map: Html; settings: Html } {
  const status =
    apiUrl === null
      ? "The live demo is off on this site."
      : "Turn on JavaScript to see your own record: your browser then calls the API, as any page could.";
  const places = SAMPLE_PLACES.flatMap(({ id, record: { latitude, longitude } }) =>
    latitude === null || longitude === null ? [] : [{ id, latitude, longitude }],
  );
  return {
    settings: apiUrl === null ? html`` : html` data-api="${apiUrl}" data-key="${demoKey ?? ""}"`,
    record: html`<div class="demo-head" data-live>
<h2 id="demo-title"><span data-place="own">Your record</span>${SAMPLE_PLACES.map(
      ({ id, label }) => html`<span data-place="${id}">Sample: ${label}</span>`,
    )}</h2>
<button type="button" id="demo-again" hidden>Try again</button>
</div>
<div class="demo-record">
<div id="demo-body" data-place="own" data-live></div>
${SAMPLE_PLACES.map(({ id, record }, index) => html`<div data-place="${id}"${index === 0 ? "" : html` data-live`}>${jsonBlock(record)}</div>\n`)}</div>
<p id="demo-status" class="hint" role="status" data-live>${status}</p>`,
    map: html`<div class="demo-card">
<fieldset class="places">
<legend class="said">Location</legend>
<label id="demo-own" hidden><input type="radio" name="place" value="own" autocomplete="off">You</label>
${SAMPLE_PLACES.map(
  ({ id, label }, index) =>
    html`<label><input type="radio" name="place" value="${id}" autocomplete="off"${index === 0 ? html` checked` : ""}>${label}</label>
`,
)}</fieldset>
<figure>
${worldMap(places)}
<figcaption><span id="demo-place" data-place="own"></span>${SAMPLE_PLACES.map(
      (place) => html`<span data-place="${place.id}">${nameOf(place)}</span>`,
    )}</figcaption>
</figure>
</div>
<dl id="demo-headers" class="headers" data-live>
${SHOWN_WITHOUT_VALUES.map((name) => html`<dt>${name}</dt><dd>${HEADER_NOTES[name]}</dd>\n`)}</dl>
<p class="hint">${creditLine(credits(databases ?? []))}</p>`,
  };
}

function nameOf({ record: { city, region, countryName } }: SamplePlace): string {
  const names = [city, region, countryName].filter((name, index, all) => name !== null && name !== all[index - 1]);
  return names.length === 0 ? "We couldn't locate this address" : names.join(", ");
}

function creditLine(credited: readonly Html[]): Html {
  return credited.length === 0
    ? html`<a href="/data">Data sources</a>`
    : html`Data: ${credited.map((credit, index) => html`${index === 0 ? "" : " · "}${credit}`)}`;
}
