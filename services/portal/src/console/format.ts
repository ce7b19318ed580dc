import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";

/** A count with thousands separators. */
export function number(count: number): string {
  return count.toLocaleString("en");
}

/** A count with its noun, e.g. `1 key` or `2,000 keys`. @param one the singular noun. */
export function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** An instant, e.g. `2026-11-21 16:20 UTC`. @param at RFC 3339, UTC; any other text is shown as is. */
export function time(at: string): Html {
  const text = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at) ? `${at.slice(0, 16).replace("T", " ")} UTC` : at;
  return html`<time datetime="${at}">${text}</time>`;
}

/** A day, e.g. `2026-11-21`. @param at RFC 3339, UTC. */
export function day(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)}</time>`;
}

/** The status of a key or customer as a colored badge. */
export function statusBadge(status: string): Html {
  return html`<span class="badge ${status === "active" ? "good" : "bad"}">${status}</span>`;
}

/** An error message of a service as a sentence. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}

/** Links to the first and the next page of a list. @param list.next where the next page starts; empty on the last one. */
export function pageLinks(list: {
  after: string;
  next: string;
  linkTo: (after: string) => string;
  nextLabel?: string;
}): Html {
  const { after, next, linkTo, nextLabel = "Next page" } = list;
  return html`<nav class="pages" aria-label="Pages of the list">
${after === "" ? "" : html`<a class="button" href="${linkTo("")}">First page</a>\n`}${next === "" ? "" : html`<a class="button" rel="next" href="${linkTo(next)}">${nextLabel}</a>\n`}</nav>`;
}

/**
 * A list as a table. On phones, each cell stands below the heading of its column.
 * @param columns the headings; the first one is of what each row is about.
 */
export function listTable(columns: readonly string[], rows: readonly (readonly (string | number | Html)[])[]): Html {
  return html`<div class="table"><table class="keys">
<thead><tr>${columns.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([name = "", ...cells]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell, index) => html`<td data-label="${columns[index + 1] ?? ""}">${cell}</td>`)}</tr>\n`,
)}</tbody>
</table></div>`;
}

/** The share of a quota at which the bar warns. */
const WARNING_SHARE = 0.8;

/** How much of its monthly quota a key has used: a number, and a bar if the plan is known and no other key uses that quota. */
export function quotaBar(used: number, key: QuotaOfKey, plans: Plans | null): Html {
  return quotaText(used, sharesQuota(key) ? undefined : plans?.get(key.plan)?.monthlyRequests);
}

type QuotaOfKey = Pick<KeyView, "keyId" | "plan" | "quota" | "rotatedTo">;

/** Whether other keys count toward a key's quota: those of its customer, or those that it replaced or was replaced by. */
export function sharesQuota({ keyId, quota, rotatedTo }: QuotaOfKey): boolean {
  return rotatedTo !== undefined || (quota !== undefined && quota.id !== keyId);
}

/** How much of a quota was used: a number, and a bar. @param quota undefined: not known. */
export function quotaText(used: number, quota: number | undefined): Html {
  if (quota === undefined) return html`<span class="quota">${number(used)}</span>`;
  const share = quota === 0 ? 1 : Math.min(1, used / quota);
  const level = share >= 1 ? "full" : share >= WARNING_SHARE ? "nearly" : "room";
  return html`<span class="quota ${level}"><span>${number(used)} <span class="of">of ${number(quota)}</span></span>
<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="4"/><rect class="used" width="${(share * 100).toFixed(2)}" height="4"/></svg></span>`;
}
