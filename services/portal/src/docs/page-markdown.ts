import { tables } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import type { DocsPage } from "./docs-page.ts";

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
turndown.use(tables);
// What works only in a browser.
turndown.remove(["form", "fieldset", "button", "noscript"]);

// Names of the deployment could otherwise become markup where the text is shown.
const escapeMarkdown = turndown.escape.bind(turndown);
turndown.escape = (text) => escapeMarkdown(text).replaceAll("<", "\\<");

/** What isn't shown, or is only for the page's scripts. */
const OMITTED = /<p\b[^>]* hidden>.*?<\/p>|<(p|div|dl|h2)\b[^>]* data-live>.*?<\/\1>|<figure>.*?<\/figure>/gs;
const CODE_HEAD = /<p class="code-head">([^<]*)<\/p><pre[^>]*>/g;
const PRE = /<pre(?![^>]*><code)[^>]*>(.*?)<\/pre>/gs;
const ANCHOR = /<a class="anchor"[^>]*>(.*?)<\/a>/gs;

/**
 * A page as Markdown, for programs that read documentation.
 * @param docsUrl its links are absolute, so that they work wherever the text is read.
 */
export function markdownOf({ content }: DocsPage, docsUrl: string): string {
  const markup = content.text
    .replace(OMITTED, "")
    .replace(CODE_HEAD, (_, language: string) => `<pre class="${language.toLowerCase()}">`)
    .replace(PRE, (whole, code: string) => {
      const [, language = ""] = /^<pre class="(\w+)"/.exec(whole) ?? [];
      return `<pre><code class="language-${language}">${code.replace(/<[^>]*>/g, "")}</code></pre>`;
    })
    .replace(ANCHOR, "$1")
    .replaceAll('href="/', `href="${docsUrl}/`);
  return `${turndown.turndown(markup)}\n`;
}
