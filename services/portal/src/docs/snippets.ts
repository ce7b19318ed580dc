import { readFileSync } from "node:fs";
import { Html, html } from "../html.ts";
import { codeBlock, type LanguageName } from "./code.ts";
import { type Audience, OWN_KEY_SCRIPT } from "./own-key.ts";

/** The scripts of a page with snippets. */
export const SNIPPET_SCRIPTS: readonly string[] = ["/assets/snippets.js", OWN_KEY_SCRIPT];

const EXAMPLE_URL = "https://geo.example.com";

/** The tabs of `snippetTabs`, with a field for the reader's key. */
export function snippets(apiUrl: string): Html {
  return html`${OWN_KEY_FIELD}
${snippetTabs(apiUrl)}
${BACK_END_NOTE}`;
}

const BACK_END_NOTE = html`<p>Servers send the visitor's address in <code>X-Forwarded-For</code>, with a secret key that may forward, and set a deadline.
They also log a warning if the key can't forward: the response's <code>Vary</code> then doesn't name the header.
<a href="/reference#forward">Why this is safe</a>. The code for Express, Next.js, Fastify and Hono uses the package
<code>@geolookup/server</code>: <a href="/back-end">how to install it</a>.</p>`;

/** Cached, because highlighting blocks standalone for milliseconds. The API's address rarely changes. */
let latest: { apiUrl: string; tabs: Html } | undefined;

/** The caller's own location, and that of a back end's visitor in each framework, as tabs; without scripts, one below the other. */
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

/** Hidden until its script runs. */
const OWN_KEY_FIELD = html`<form class="own-key-form" hidden>
<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="own-key-note">
<p id="own-key-note" role="status">Fills in the code samples on these pages. Your key stays in this tab and is never sent anywhere.</p>
</form>`;

/** Code in which the address of the API is EXAMPLE_URL, the key `YOUR_KEY`, and the rest of the query `OWN_QUERY`. */
interface Snippet {
  title: string;
  language: LanguageName;
  audience: Audience;
  text: string;
}

const NEXT_FILES = ["geo.js", "proxy.js", "app/page.js", "app/api/geo/route.js"];

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
  { title: "Express", language: "JavaScript", audience: "back-end", text: example("express.js") },
  {
    title: "Next.js",
    language: "JavaScript",
    audience: "back-end",
    text: NEXT_FILES.map((file) => `// ${file}\n${example(`next/${file}`)}`).join("\n\n"),
  },
  { title: "Fastify", language: "JavaScript", audience: "back-end", text: example("fastify.js") },
  { title: "Hono", language: "JavaScript", audience: "back-end", text: example("hono.js") },
  { title: "Python", language: "Python", audience: "back-end", text: sample("wsgi.py") },
  { title: "FastAPI", language: "Python", audience: "back-end", text: sample("main.py") },
  { title: "Go", language: "Go", audience: "back-end", text: sample("main.go") },
  { title: "Laravel", language: "PHP", audience: "back-end", text: sample("web.php") },
  { title: "PHP", language: "PHP", audience: "back-end", text: sample("index.php") },
  { title: "Ruby", language: "Ruby", audience: "back-end", text: sample("config.ru") },
];

/** An example of `@geolookup/server`, which reads its settings from the environment. */
function example(file: string): string {
  return read(`../../../../packages/server/examples/${file}`)
    .replace("process.env.GEOLOOKUP_URL", `"${EXAMPLE_URL}"`)
    .replace("process.env.GEOLOOKUP_KEY", '"YOUR_KEY"');
}

function sample(file: string): string {
  return read(`samples/${file}`);
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), "utf8").trimEnd();
}
