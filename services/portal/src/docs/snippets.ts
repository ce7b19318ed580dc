import { type Html, html } from "../html.ts";
import { codeBlock } from "./code.ts";

/** The scripts that a page with snippets loads. */
export const SNIPPET_SCRIPTS: readonly string[] = ["/assets/snippets.js", "/assets/own-key.js"];

/** One request in four languages: tabs where scripts run, one below the other elsewhere. */
export function snippets(apiUrl: string): Html {
  return html`${OWN_KEY_FIELD}
<div class="tabs" data-tabs="Language">
${SNIPPETS.map(
  ({ title, language, reader, text }) => html`<section>
<h3>${title}</h3>
${codeBlock(text(apiUrl), language, reader)}
</section>
`,
)}</div>`;
}

/** Shown by its script: without it there is nothing to fill in. */
const OWN_KEY_FIELD = html`<form class="own-key-form" hidden>
<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="own-key-note">
<p id="own-key-note" role="status">It is filled into the code on these pages. It stays in this tab and is sent nowhere.</p>
</form>`;

const SNIPPETS: readonly {
  title: string;
  language: string;
  reader?: "visitors";
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
    reader: "visitors",
    text: (apiUrl) => `// A publishable key in the query string: no preflight.
const response = await fetch("${apiUrl}/v1/geo?key=YOUR_KEY");
const answer = await response.json();
if (response.ok) {
  console.log(answer.city ?? answer.countryName ?? "somewhere");
} else {
  console.error(answer.error.message, answer.error.docs);
}`,
  },
  {
    title: "Node.js",
    language: "JavaScript",
    text: (apiUrl) => `// Node.js 20 or newer, as an ES module. It asks where this server is.
const response = await fetch("${apiUrl}/v1/geo", {
  headers: { Authorization: "Bearer YOUR_KEY" },
  signal: AbortSignal.timeout(5_000),
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.error.message} \${answer.error.docs}\`);
console.log(answer.timezone, answer.currency);`,
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
