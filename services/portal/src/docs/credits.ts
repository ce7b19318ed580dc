import { type Html, html } from "../html.ts";
import type { DatabaseCredit } from "../site.ts";

/** What licenses ask for beside answers: each credit once. Empty when none is asked for. */
export function credits(databases: readonly DatabaseCredit[]): Html[] {
  const unique = new Map(databases.map((database) => [database.attribution, database]));
  unique.delete("");
  return [...unique.values()].map(creditLink);
}

/** A credit with its link: on the credit as a whole, or on the addresses that stand in it. */
export function creditLink({ attribution, attributionUrl }: DatabaseCredit): Html {
  if (!/https?:\/\//.test(attribution)) return html`<a href="${attributionUrl}">${attribution}</a>`;
  const parts = attribution.split(/(https?:\/\/[^\s,()]+)/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`))}`;
}
