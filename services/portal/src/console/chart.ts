import { type Html, html } from "../html.ts";
import { number } from "./format.ts";

export interface Bar {
  /** As it is told, e.g. `2026-11-21`. */
  name: string;
  value: number;
  /** Where a press on it leads. */
  href?: string;
  isChosen?: boolean;
}

const HEIGHT = 120;
/** Of a bar and the gap after it. */
const STEP = 10;
const GAP = 2;
/** So that a day with one request is not lost beside one with millions. */
const LEAST_HEIGHT = 1.5;

/**
 * Bars over time. The drawing is stretched to its place, so it holds no text: that stands around it, and every number is
 * in a table that opens below.
 * @param title says what is counted, e.g. "Requests by day".
 */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [first, last] = [bars[0]?.name ?? "", bars.at(-1)?.name ?? ""];
  return html`<figure class="chart">
<figcaption>${title}<span class="most">most: ${number(Math.max(0, ...bars.map(({ value }) => value)))}</span></figcaption>
<svg viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}, ${first} to ${last}; the numbers are in the table below">
${bars.map((bar, index) => column(bar, index, most))}</svg>
<p class="span"><span>${first}</span><span>${last}</span></p>
<details><summary>Numbers</summary>${table(title, bars)}</details>
</figure>`;
}

function column({ name, value, isChosen = false }: Bar, index: number, most: number): Html {
  const height = value === 0 ? 0 : Math.max(LEAST_HEIGHT, (value / most) * HEIGHT);
  const x = index * STEP + GAP / 2;
  return html`<g><title>${name}: ${number(value)}</title><rect class="track" x="${x}" width="${STEP - GAP}" height="${HEIGHT}"/><rect class="${isChosen ? "bar chosen" : "bar"}" x="${x}" y="${(HEIGHT - height).toFixed(2)}" width="${STEP - GAP}" height="${height.toFixed(2)}"/></g>
`;
}

function table(title: string, bars: readonly Bar[]): Html {
  return html`<div class="table"><table>
<caption>${title}</caption>
<tbody>
${bars.toReversed().map(
  ({
    name,
    value,
    href,
  }) => html`<tr><th scope="row">${href === undefined ? name : html`<a href="${href}">${name}</a>`}</th><td class="number">${number(value)}</td></tr>
`,
)}</tbody>
</table></div>`;
}
