import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";

/** The attributions that the databases' licenses require, each one once. */
export function credits(databases: readonly DatabaseCredit[]): Html[] {
  const unique = new Map(databases.map((database) => [database.attribution, database]));
  unique.delete("");
  return [...unique.values()].map(creditLink);
}

/** An attribution with its link: around the whole text, or around the URLs that it contains. */
export function creditLink({ attribution, attributionUrl }: DatabaseCredit): Html {
  if (!/https?:\/\//.test(attribution)) return html`<a href="${attributionUrl}">${attribution}</a>`;
  const parts = attribution.split(/(https?:\/\/[^\s,()]+)/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`))}`;
}
