import GithubSlugger from "github-slugger";
import { Marked, Renderer, type Tokens } from "marked";
import { highlight } from "../docs/highlight.ts";
import { markOwnKey } from "../docs/own-key.ts";
import { SNIPPET_TITLES } from "../docs/snippets.ts";
import { Html, html } from "../html.ts";
import { groupTabs, type Tabs, tabTitle } from "./tabs.ts";

export interface MarkdownOptions {
  /** Maps the target of a link that isn't a web address or an anchor. Null: the link becomes plain text. */
  resolveLink: (target: string) => string | null;
  /** The path of a prebuilt figure for a Mermaid diagram. Null: the source is shown instead. */
  findDiagram: (source: string) => string | null;
}

/** Display names of languages in code blocks. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ sh: "Shell", json: "JSON", js: "JavaScript", html: "HTML", yaml: "YAML", ini: "INI", csv: "CSV", http: "HTTP" },
  ...{ mermaid: "Diagram source (Mermaid)", diff: "Diff", nginx: "nginx", haproxy: "HAProxy", caddy: "Caddyfile" },
  ...{ lua: "Lua", php: "PHP", python: "Python", ruby: "Ruby", go: "Go" },
};

/** IDs that every page uses for its frame. */
const RESERVED_IDS = ["content", "site-nav", "page-contents"];

/**
 * Renders GitHub Flavored Markdown. Headings get the same anchors as on GitHub. HTML is shown as text, and the only images are diagrams.
 */
export function renderMarkdown(text: string, { resolveLink, findDiagram }: MarkdownOptions): Html {
  const slugger = new GithubSlugger();
  for (const id of RESERVED_IDS) slugger.slug(id);
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const id = slugger.slug(decode(this.parser.parseInline(tokens, this.parser.textRenderer)));
        const level = Math.min(depth, 4);
        return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      code: (token: Tokens.Code) => `${codeMarkup(token, findDiagram).text}\n`,
      table(token: Tokens.Table) {
        // An empty cell isn't a header.
        const table = Renderer.prototype.table
          .call(this, token)
          .replace(/<th( [^>]*)?><\/th>/g, "<td></td>")
          .replace(/<th(?=[ >])/g, '<th scope="col"');
        return `<div class="table scroll" tabindex="0">${table}</div>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const target = /^(https?:|mailto:|#)/.test(href) ? href : resolveLink(href);
        return target === null ? content : html`<a href="${target}">${new Html(content)}</a>`.text;
      },
      image: ({ text }: Tokens.Image) => html`${text}`.text,
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.text,
    },
    extensions: [{ name: "tabs", renderer: (token) => tabsMarkup(token as unknown as Tabs, findDiagram).text }],
    hooks: { processAllTokens: groupTabs },
  });
  return new Html(marked.parse(text) as string);
}

function codeMarkup({ text, lang }: Tokens.Code, findDiagram: MarkdownOptions["findDiagram"]): Html {
  const language = lang?.split(" ")[0] ?? "";
  const figure = language === "mermaid" ? findDiagram(text) : null;
  if (figure !== null) return diagram(figure, text);
  const { code, note } = markOwnKey(highlight(text, language));
  return html`<div class="code"><p class="code-head">${LANGUAGES[language] ?? "Text"}</p><pre tabindex="0">${code}</pre>${note}</div>`;
}

function tabsMarkup({ codes }: Tabs, findDiagram: MarkdownOptions["findDiagram"]): Html {
  const [first] = codes;
  if (codes.length === 1 && first) return codeMarkup(first, findDiagram);
  // The choice of a language is kept for other pages.
  const label = codes.every((code) => SNIPPET_TITLES.includes(tabTitle(code) ?? "")) ? "Language" : "Example";
  return html`<div class="tabs" data-tabs="${label}">
${codes.map((code) => html`<section><h3>${tabTitle(code) ?? ""}</h3>${codeMarkup(code, findDiagram)}</section>\n`)}</div>\n`;
}

/** A figure, with its source for readers who can't see it. */
function diagram(path: string, source: string): Html {
  return html`<figure class="diagram"><img src="${path}" alt="Diagram, described by the source below"></figure>
<details><summary>Diagram source</summary><pre tabindex="0">${source}</pre></details>`;
}

/** Decodes the character references that marked writes. */
function decode(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? "");
}
