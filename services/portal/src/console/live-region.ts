import { type Html, html } from "../html.ts";

/**
 * A part of a page that a script keeps up to date.
 * @param path of the events, each of which contains the new content.
 * @param content the current content, which is all that's shown without scripts.
 */
export function liveRegion(path: string, content: Html): Html {
  return html`<div class="live" data-live="${path}">
<p class="live-state" role="status" hidden></p>
<div data-live-content>
${content}
</div>
</div>`;
}
