import { html } from "../html.ts";

/** The keys, as shortcuts.js reads them. */
const SHORTCUTS = [
  { keys: ["g", "o"], does: "Overview" },
  { keys: ["g", "k"], does: "Keys" },
  { keys: ["g", "i"], does: "Issue a key" },
  { keys: ["g", "a"], does: "Look up an address" },
  { keys: ["g", "c"], does: "Cluster" },
  { keys: ["g", "d"], does: "Data" },
  { keys: ["/"], does: "Search keys (on the Keys page)" },
  { keys: ["←", "→"], does: "Move between the bars of a focused chart" },
  { keys: ["?"], does: "Show or hide these shortcuts" },
] as const;

/** The list of shortcuts, and the button that opens it. Both need the script and are hidden without it. */
export const SHORTCUTS_HELP = html`<button type="button" data-shortcuts hidden>Keyboard shortcuts</button>
<dialog class="shortcuts" aria-labelledby="shortcuts"><h2 id="shortcuts">Keyboard shortcuts</h2>
<dl>
${SHORTCUTS.map(({ keys, does }) => html`<div><dt>${keys.map((key, index) => html`${index === 0 ? "" : " "}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>\n`)}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>`;
