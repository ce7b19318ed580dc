import { type Html, html } from "../html.ts";

/** A count with separators between thousands. */
export function number(count: number): string {
  return count.toLocaleString("en");
}

/** An instant, e.g. `2026-11-21 16:20 UTC`. @param at RFC 3339, UTC; what is no time stands as it is. */
export function time(at: string): Html {
  const text = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at) ? `${at.slice(0, 16).replace("T", " ")} UTC` : at;
  return html`<time datetime="${at}">${text}</time>`;
}

/** A day, e.g. `2026-11-21`. @param at RFC 3339, UTC. */
export function day(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)}</time>`;
}

/** A key's state as a colored word. */
export function statusBadge(status: string): Html {
  return html`<span class="badge ${status === "revoked" ? "bad" : "good"}">${status}</span>`;
}

/** A service's words as a sentence. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}
