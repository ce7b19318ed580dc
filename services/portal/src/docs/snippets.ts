import { type Html, html } from "../html.ts";
import { codeBlock, type LanguageName } from "./code.ts";

/** The scripts of a page with snippets. */
export const SNIPPET_SCRIPTS: readonly string[] = ["/assets/snippets.js", "/assets/own-key.js"];

/** One request in four languages, with a field for the reader's key. */
export function snippets(apiUrl: string): Html {
  return html`${OWN_KEY_FIELD}
${snippetTabs(apiUrl)}`;
}

/** One request in four languages, as tabs; without scripts, one below the other. */
export function snippetTabs(apiUrl: string): Html {
  return html`<div class="tabs" data-tabs="Language">
${SNIPPETS.map(
  ({ title, language, audience, text }) => html`<section>
<h3>${title}</h3>
${codeBlock(text(apiUrl), language, audience)}
</section>
`,
)}</div>`;
}

/** Hidden until its script runs. */
const OWN_KEY_FIELD = html`<form class="own-key-form" hidden>
<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="own-key-note">
<p id="own-key-note" role="status">Fills in the code samples on these pages. Your key stays in this tab and is never sent anywhere.</p>
</form>`;

const SNIPPETS: readonly {
  title: string;
  language: LanguageName;
  audience?: "visitors";
  text: (apiUrl: string) => string;
}[] = [
  {
    title: "curl",
    language: "Shell",
    text: (apiUrl) => `curl -H 'Authorization: Bearer YOUR_KEY' \\
  '${apiUrl}/v1/geo'`,
  },
  {
    title: "Browser",
    language: "JavaScript",
    audience: "visitors",
    text: (apiUrl) => `// A key in the query string needs no CORS preflight.
const response = await fetch("${apiUrl}/v1/geo?key=YOUR_KEY");
const body = await response.json();
if (response.ok) {
  console.log(body.city ?? body.countryName ?? "unknown");
} else {
  console.error(body.error.message, body.error.docs);
}`,
  },
  {
    title: "Node.js",
    language: "JavaScript",
    text: (apiUrl) => `// Node.js 20 or newer, ES module. Locates this server.
const response = await fetch("${apiUrl}/v1/geo", {
  headers: { Authorization: "Bearer YOUR_KEY" },
  signal: AbortSignal.timeout(5_000),
});
const body = await response.json();
if (!response.ok) throw new Error(\`\${body.error.message} \${body.error.docs}\`);
console.log(body.timezone, body.currency);`,
  },
  {
    title: "Python",
    language: "Python",
    text: (apiUrl) => `import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "${apiUrl}/v1/geo",
    headers={"Authorization": "Bearer YOUR_KEY"},
)
try:
    with urllib.request.urlopen(request, timeout=5) as response:
        print(json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)["error"]
    print(problem["message"], problem["docs"])`,
  },
];
