import { type Html, html } from "../html.ts";
import { number } from "./format.ts";

export interface Bar {
  /** The label, e.g. `2026-11-21`. */
  name: string;
  value: number;
  /** Where the label links to. */
  href?: string;
  isChosen?: boolean;
}

const HEIGHT = 120;
/** The width of a bar and its gap. */
const STEP = 10;
const GAP = 2;
/** Keeps a day with one request visible next to one with millions. */
const MIN_HEIGHT = 1.5;

/**
 * A bar chart over time. The drawing is stretched to fit, so all text is outside of it, and the numbers are in a table
 * that opens below.
 * @param title what is counted, e.g. "Requests by day".
 */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const max = Math.max(0, ...bars.map(({ value }) => value));
  const [first, last] = [bars[0]?.name ?? "", bars.at(-1)?.name ?? ""];
  return html`<figure class="chart">
<figcaption>${title}<span class="max">max: ${number(max)}</span></figcaption>
<svg viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}, ${first} to ${last}; the data is in the table below">
${bars.map((bar, index) => column(bar, index, Math.max(1, max)))}</svg>
<p class="span"><span>${first}</span><span>${last}</span></p>
<details><summary>Data table</summary>${table(title, bars)}</details>
</figure>`;
}

function column({ name, value, isChosen = false }: Bar, index: number, max: number): Html {
  const height = value === 0 ? 0 : Math.max(MIN_HEIGHT, (value / max) * HEIGHT);
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
