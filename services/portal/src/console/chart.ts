import { type Html, html } from "../html.ts";
import { number } from "./format.ts";

export interface Bar {
  /** The label, e.g. `2026-11-21`. */
  name: string;
  value: number;
  /** Where the label links to. */
  href?: string;
  isChosen?: boolean;
  /** A short label on the axis, for some of the bars. */
  tick?: string;
  /** Whether it is the current day or month. */
  isCurrent?: boolean;
}

const HEIGHT = 120;
/** The width of a bar and its gap. */
const STEP = 10;
const GAP = 2;
/** Keeps a day with one request visible beside one with millions. */
const MIN_HEIGHT = 1.5;

/**
 * A bar chart over time. The drawing is stretched to fit, so all text is outside it, and the numbers are in a table that opens
 * below. A script (chart.js) shows the value of the bar under the pointer or selected with the arrow keys.
 * @param title what is counted, e.g. "Requests by day".
 */
export function barChart(title: string, bars: readonly Bar[]): Html {
  const max = Math.max(0, ...bars.map(({ value }) => value));
  const top = axisEnd(max);
  const [first, last] = [bars[0]?.name ?? "", bars.at(-1)?.name ?? ""];
  return html`<figure class="chart">
<figcaption>${title}<span class="value" aria-hidden="true"></span><span class="max">max: ${number(max)}</span></figcaption>
<div class="plot">
<p class="axis" aria-hidden="true"><span>${compact(top)}</span><span>${compact(top / 2)}</span><span>0</span></p>
<div class="bars" data-chart="${title}">
<svg viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}, ${first} to ${last}; the data is in the table below">
<path class="grid" d="M0 0H${bars.length * STEP}M0 ${HEIGHT / 2}H${bars.length * STEP}"/>
${bars.map((bar, index) => column(bar, index, top))}</svg>
<p class="ticks" aria-hidden="true">${bars.map(({ tick = "", isCurrent = false }) => (isCurrent ? html`<strong>${tick}</strong>` : html`<span>${tick}</span>`))}</p>
</div>
</div>
<details><summary>Data table</summary>${table(title, bars)}</details>
</figure>`;
}

/** The end of the value axis: the next round even number. */
export function axisEnd(max: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, max)));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * unit).find((end) => end >= max && end % 2 === 0) ?? max;
}

/** A number on the axis, such as `1.5K`. */
function compact(count: number): string {
  return count.toLocaleString("en", { notation: "compact" });
}

function column({ name, value, isChosen = false, isCurrent = false }: Bar, index: number, top: number): Html {
  const height = value === 0 ? 0 : Math.max(MIN_HEIGHT, (value / top) * HEIGHT);
  const x = index * STEP + GAP / 2;
  const text = `${name}: ${number(value)}${isCurrent ? " so far" : ""}`;
  return html`<g${isCurrent ? CURRENT : ""}><title>${text}</title><rect class="track" x="${x}" width="${STEP - GAP}" height="${HEIGHT}"/><rect class="${isChosen ? "bar chosen" : "bar"}" x="${x}" y="${(HEIGHT - height).toFixed(2)}" width="${STEP - GAP}" height="${height.toFixed(2)}"/></g>
`;
}

const CURRENT = html` class="current"`;

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
