import { type Html, html } from "../html.ts";
import { number } from "./format.ts";

export interface Bar {
  /** The label, e.g. `2026-11-21`. */
  name: string;
  value: number;
  /** Refusals by error code, drawn on top of the value. */
  refused?: ReadonlyMap<string, number>;
  /** Where the label links to. */
  href?: string;
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
 * @param empty what the chart says if it has nothing to show: what will appear.
 */
export function barChart(title: string, bars: readonly Bar[], empty: string): Html {
  const max = Math.max(0, ...bars.map((bar) => bar.value + refusedOf(bar)));
  if (max === 0)
    return html`<figure class="chart"><figcaption>${title}</figcaption><p class="hint">${empty}</p></figure>`;
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

function column(bar: Bar, index: number, top: number): Html {
  const { name, value, isCurrent = false } = bar;
  const refused = refusedOf(bar);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / top) * HEIGHT));
  const [served, height] = [heightOf(value), heightOf(value) + heightOf(refused)];
  const x = index * STEP + GAP / 2;
  const rect = (className: string, y: number, size: number) =>
    html`<rect class="${className}" x="${x}" y="${y.toFixed(2)}" width="${STEP - GAP}" height="${size.toFixed(2)}"/>`;
  const text = `${name}: ${number(value)}${refused === 0 ? "" : `, ${number(refused)} refused`}${isCurrent ? " so far" : ""}`;
  return html`<g${isCurrent ? CURRENT : ""}><title>${text}</title><rect class="track" x="${x}" width="${STEP - GAP}" height="${HEIGHT}"/>${rect("bar", HEIGHT - served, served)}${refused === 0 ? "" : rect("bar refused", HEIGHT - height, height - served)}</g>
`;
}

function refusedOf({ refused }: Bar): number {
  return [...(refused?.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

const CURRENT = html` class="current"`;

/** One row for each bar, latest first. With refusals, there is a column for each of their codes. */
function table(title: string, bars: readonly Bar[]): Html {
  const codes = [...new Set(bars.flatMap(({ refused }) => [...(refused?.keys() ?? [])]))].sort();
  const head =
    codes.length === 0
      ? ""
      : html`<thead><tr><td></td><th scope="col" class="number">Served</th>${codes.map((code) => html`<th scope="col" class="number"><a href="/errors/${code}"><code>${code}</code></a></th>`)}</tr></thead>\n`;
  return html`<div class="table"><table>
<caption>${title}</caption>
${head}<tbody>
${bars
  .toReversed()
  .map(
    ({ name, value, href, refused }) =>
      html`<tr><th scope="row">${href === undefined ? name : html`<a href="${href}">${name}</a>`}</th><td class="number">${number(value)}</td>${codes.map((code) => html`<td class="number">${number(refused?.get(code) ?? 0)}</td>`)}</tr>\n`,
  )}</tbody>
</table></div>`;
}
