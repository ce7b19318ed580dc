import { OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";
import { type Html, html } from "../html.ts";
import { counted } from "./format.ts";

/** The table cell with the age of a database, marked if it is old. @param days null if the age is unknown. */
export function ageCell(days: number | null): Html {
  if (days === null) return html`<td class="number">unknown</td>`;
  return html`<td class="number${days > OLD_DATA_DAYS ? " old" : ""}">${counted(days, "day")}</td>`;
}
