import GithubSlugger from "github-slugger";
import { Html } from "../html.ts";

/** A heading that can be linked to. */
export interface Heading {
  level: 2 | 3;
  id: string;
  /** Its text, without links. */
  text: Html;
}

const HEADING = /<h([234])(?: id="([^"]*)")?>(.*?)<\/h\1>/gs;
const LINK = /<\/?a\b[^>]*>/g;
const TAG = /<[^>]*>/g;

/**
 * Makes each heading of a page a link to itself. Headings of level 2 without an ID get one from their text.
 * @returns the content, and the headings of levels 2 and 3 for the page's contents.
 */
export function linkHeadings(content: Html): { content: Html; headings: Heading[] } {
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  for (const [, id = ""] of content.text.matchAll(/ id="([^"]*)"/g)) slugger.slug(id);
  const text = content.text.replace(HEADING, (heading, level: string, given: string | undefined, inner: string) => {
    const id = given ?? (level === "2" ? slugger.slug(inner.replace(TAG, "")) : null);
    if (id === null) return heading;
    const name = inner.replace(LINK, "");
    if (level !== "4") headings.push({ level: level === "2" ? 2 : 3, id, text: new Html(name) });
    // A heading that contains links can't be a link itself.
    const linked = name === inner ? `<a class="anchor" href="#${id}">${inner}</a>` : inner;
    return `<h${level} id="${id}">${linked}</h${level}>`;
  });
  return { content: new Html(text), headings };
}
