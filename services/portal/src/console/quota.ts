import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { type Html, html } from "../html.ts";
import { number } from "./format.ts";

/** The share of a quota at which the bar warns. */
const WARNING_SHARE = 0.8;

/** How much of its monthly quota a key has used: a number, and a bar if the plan is known. */
export function quotaBar(used: number, planName: string, plans: Plans | null): Html {
  const quota = plans?.get(planName)?.monthlyRequests;
  if (quota === undefined) return html`<span class="quota">${number(used)}</span>`;
  const share = quota === 0 ? 1 : Math.min(1, used / quota);
  const level = share >= 1 ? "full" : share >= WARNING_SHARE ? "nearly" : "room";
  return html`<span class="quota ${level}"><span>${number(used)} <span class="of">of ${number(quota)}</span></span>
<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="4"/><rect class="used" width="${(share * 100).toFixed(2)}" height="4"/></svg></span>`;
}
