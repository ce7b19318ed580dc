import { createRequire } from "node:module";
import { Html, html } from "../html.ts";

/** The files of languages in highlight.js, by the names that Markdown uses. */
const FILES: Readonly<Record<string, string>> = {
  ...{ sh: "bash", diff: "diff", go: "go", http: "http", ini: "ini", js: "javascript", json: "json", lua: "lua" },
  ...{ nginx: "nginx", php: "php", python: "python", ruby: "ruby", html: "xml", yaml: "yaml" },
};

/** The part of highlight.js that is used. Its own types would add browser types to the whole repository. */
interface Highlighter {
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
  registerLanguage(name: string, language: unknown): void;
}

const require = createRequire(import.meta.url);
let loaded: Highlighter | undefined;

/** Code with its parts marked by classes; plain if the language isn't known. */
export function highlight(code: string, language: string): Html {
  if (!Object.hasOwn(FILES, language)) return html`${code}`;
  const { value } = load().highlight(code, { language, ignoreIllegals: true });
  return new Html(value.replaceAll("&#x27;", "&#39;").replaceAll("&quot;", "&#34;"));
}

/** Loaded on first use: processes start faster without it. */
function load(): Highlighter {
  if (loaded) return loaded;
  const hljs = require("highlight.js/lib/core") as Highlighter;
  for (const [name, file] of Object.entries(FILES)) {
    const language = require(`highlight.js/lib/languages/${file}`);
    hljs.registerLanguage(name, language);
    // HTML and PHP refer to other languages by these names.
    hljs.registerLanguage(file, language);
  }
  loaded = hljs;
  return hljs;
}
