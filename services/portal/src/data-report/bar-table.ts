import { type Html, html } from "../html.ts";
import { percent } from "./shares.ts";

/** A cell: text, a share that is drawn as a bar, or a number at the right. */
export type Cell = string | Html | { share: number | null } | { number: string };

export interface Row {
  name: string | Html;
  cells: readonly Cell[];
}

const BAR = { width: 100, height: 10 };

/**
 * A chart that is a table: each bar is next to its number, so readers don't need to see the drawing.
 * @param columns the headings; the first one is for the names.
 */
export function barTable(caption: string, columns: readonly string[], rows: readonly Row[]): Html {
  const isFigure = (index: number) => rows.some(({ cells }) => isNumber(cells[index - 1]));
  // Wide tables can be scrolled with the keyboard.
  return html`<div class="table report-table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column, index) => html`<th scope="col"${isFigure(index) ? NUMBER : ""}>${column}</th>`)}</tr></thead>
<tbody>
${rows.map(({ name, cells }) => html`<tr><th scope="row">${name}</th>${cells.map(cellOf)}</tr>\n`)}</tbody>
</table></div>
`;
}

const NUMBER = html` class="number"`;

function isNumber(cell: Cell | undefined): cell is { number: string } {
  return typeof cell === "object" && "number" in cell;
}

function cellOf(cell: Cell): Html {
  if (isNumber(cell)) return html`<td class="number">${cell.number}</td>`;
  if (typeof cell === "string" || !("share" in cell)) return html`<td>${cell}</td>`;
  const { share } = cell;
  return html`<td class="share">${share === null ? "" : bar(share)}<span>${percent(share)}</span></td>`;
}

function bar(share: number): Html {
  const width = (Math.min(1, share) * BAR.width).toFixed(1);
  return html`<svg viewBox="0 0 ${BAR.width} ${BAR.height}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${BAR.width}" height="${BAR.height}"/><rect class="bar" width="${width}" height="${BAR.height}"/></svg>`;
}
