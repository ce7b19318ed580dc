import { type Html, html } from "../html.ts";

/** `code`, [text](url) or **bold**. */
const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*/g;

/**
 * Renders the few forms of Markdown that CHANGELOG.md uses: headings, lists, paragraphs; code, links to the web
 * and bold text within them. Everything else is text. Nothing in it becomes markup.
 */
export function renderMarkdown(text: string): Html {
  const blocks: Html[] = [];
  let lines: string[] = [];
  let items: string[] | null = null;
  const flush = () => {
    if (items) blocks.push(html`<ul>\n${items.map((item) => html`<li>${inline(item)}</li>\n`)}</ul>\n`);
    else if (lines.length > 0) blocks.push(html`<p>${inline(lines.join(" "))}</p>\n`);
    [lines, items] = [[], null];
  };
  for (const line of text.split(/\r?\n/)) {
    const [, marks, title = ""] = /^(#{1,4}) (.*)$/.exec(line) ?? [];
    const item = /^[-*] (.*)$/.exec(line)?.[1];
    if (marks !== undefined) {
      flush();
      blocks.push(heading(marks.length, title));
    } else if (item !== undefined) {
      if (!items) flush();
      items = [...(items ?? []), item];
    } else if (line.trim() === "") flush();
    else if (items) items.push(`${items.pop()} ${line.trim()}`);
    else lines.push(line.trim());
  }
  flush();
  return html`${blocks}`;
}

function heading(level: number, title: string): Html {
  if (level === 1) return html`<h1>${inline(title)}</h1>\n`;
  if (level === 2) return html`<h2>${inline(title.replace(/^\[(.*?)\](?!\()/, "$1"))}</h2>\n`;
  return html`<h3>${inline(title)}</h3>\n`;
}

function inline(text: string): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, code, label, url, bold] = match;
    parts.push(html`${text.slice(end, match.index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`);
    // A link to a file of the repository leads nowhere on this site.
    else if (label !== undefined && url !== undefined && /^https?:\/\//.test(url))
      parts.push(html`<a href="${url}">${label}</a>`);
    else parts.push(html`${label ?? all}`);
    end = match.index + all.length;
  }
  parts.push(html`${text.slice(end)}`);
  return parts;
}
