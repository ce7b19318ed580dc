import { type Html, html } from "../html.ts";

/**
 * A part of a page that the console's script keeps current.
 * @param path of its events: each is the part's new content.
 * @param content as it is now, for who has no script.
 */
export function liveRegion(path: string, content: Html): Html {
  return html`<div class="live" data-live="${path}">
<p class="live-state" role="status" hidden></p>
<div data-live-content>
${content}
</div>
</div>`;
}
