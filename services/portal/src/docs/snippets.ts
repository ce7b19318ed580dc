import { readFileSync } from "node:fs";
import { Html, html } from "../html.ts";
import { codeBlock, type LanguageName } from "./code.ts";
import { type Audience, OWN_KEY_SCRIPT } from "./own-key.ts";

/** The scripts of a page with snippets. */
export const SNIPPET_SCRIPTS: readonly string[] = ["/assets/snippets.js", OWN_KEY_SCRIPT];

const EXAMPLE_URL = "https://geo.example.com";

/** The tabs of `snippetTabs`, with a field for the reader's key. */
export function snippets(apiUrl: string): Html {
  return html`${OWN_KEY_FORM}
${snippetTabs(apiUrl)}
${BACK_END_NOTE}`;
}

const BACK_END_NOTE = html`<p>The code for back ends uses a client, which finds the visitor behind your proxies, sends the address in
<code>X-Forwarded-For</code>, and has a deadline. <a href="/back-end#install-a-client">Install the client</a> first, and use a secret
key that can look up visitors. <a href="/reference#forward">Why this is safe</a>.</p>`;

/** Cached, because highlighting blocks standalone for milliseconds. The API's address rarely changes. */
let latest: { apiUrl: string; tabs: Html } | undefined;

/** The caller's own location, and that of a back end's visitor in each language, as tabs; without scripts, one below the other. */
export function snippetTabs(apiUrl: string): Html {
  if (latest?.apiUrl !== apiUrl) latest = { apiUrl, tabs: renderTabs(apiUrl) };
  return latest.tabs;
}

function renderTabs(apiUrl: string): Html {
  return html`<div class="tabs" data-tabs="Language">
${SNIPPETS.map(
  ({ title, language, audience, text }) => html`<section>
<h3>${title}</h3>
${withQuerySlot(
  codeBlock(
    text.replaceAll(EXAMPLE_URL, () => apiUrl),
    language,
    audience,
  ),
)}
</section>
`,
)}</div>`;
}

/** Where the API reference fills in the query of the request that the reader composes, with the mark before it. */
function withQuerySlot(block: Html): Html {
  return new Html(
    block.text.replace(/(\?|&amp;)OWN_QUERY/, (_, prefix) => `<span class="own-query" data-prefix="${prefix}"></span>`),
  );
}

/** The field for the reader's key, and what becomes of the key. */
export const OWN_KEY_FIELD = html`<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_…" aria-describedby="own-key-note">
<p id="own-key-note" role="status">Fills in the code samples on these pages and stays in this tab. Your browser sends it to the API only when you select Send request in the API reference.</p>`;

/** Hidden until its script runs. */
export const OWN_KEY_FORM = html`<form class="own-key-form" hidden>
${OWN_KEY_FIELD}
</form>`;

/** Code in which the address of the API is EXAMPLE_URL, the key `YOUR_KEY` or `geo_sk_…`, and the rest of the query `OWN_QUERY`. */
interface Snippet {
  title: string;
  language: LanguageName;
  audience: Audience;
  text: string;
}

const SNIPPETS: readonly Snippet[] = [
  {
    title: "curl",
    language: "Shell",
    audience: "operator",
    text: `curl -H 'Authorization: Bearer YOUR_KEY' \\
  '${EXAMPLE_URL}/v1/geo?OWN_QUERY'`,
  },
  {
    title: "Browser",
    language: "JavaScript",
    audience: "visitors",
    text: `// A key in the query string needs no CORS preflight.
const response = await fetch("${EXAMPLE_URL}/v1/geo?key=YOUR_KEY&OWN_QUERY", {
  signal: AbortSignal.timeout(5_000),
});
const body = await response.json();
if (response.ok) {
  console.log(body.city ?? body.countryName ?? "unknown");
} else {
  console.error(body.error.message, body.error.docs);
}`,
  },
  { title: "Node.js", language: "JavaScript", audience: "back-end", text: fromGuide("js Node.js") },
  { title: "Python", language: "Python", audience: "back-end", text: fromGuide("python Python") },
  { title: "Go", language: "Go", audience: "back-end", text: fromGuide("go Go") },
  { title: "PHP", language: "PHP", audience: "back-end", text: fromGuide("php PHP") },
  { title: "Ruby", language: "Ruby", audience: "back-end", text: fromGuide("ruby Ruby") },
];

export const SNIPPET_TITLES: readonly string[] = SNIPPETS.map(({ title }) => title);

/** The code of a tab of the guide for back ends. */
function fromGuide(tab: string): string {
  const guide = readFileSync(new URL("../../../../docs/site/back-end.md", import.meta.url), "utf8");
  const [, code] = new RegExp(`^\`\`\`${tab}\n(.*?)\n\`\`\`$`, "ms").exec(guide) ?? [];
  if (code === undefined) throw new Error(`docs/site/back-end.md has no tab ${tab}`);
  return code;
}
