/** A part of a page that search can find. */
export interface Section {
  /** Path and anchor. */
  id: string;
  page: string;
  /** Its heading; the page's title for the beginning of the page. */
  heading: string;
  text: string;
}

/** What isn't content, such as the source of a diagram, which is in `details`, and the samples of the demo. */
const OMITTED = /<(nav|form|details|svg)\b.*?<\/\1>|<div class="demo-head".*?(?=<\/section>)/gs;
const HEADING = /<h([1-4])(?: id="([^"]*)")?>(.*?)<\/h\1>/gs;
const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " };

/** Splits the content of a page at the headings with anchors. */
export function sectionsOf(path: string, page: string, markup: string): Section[] {
  const main = markup.replace(OMITTED, " ");
  const sections: Section[] = [{ id: path, page, heading: page, text: "" }];
  let begin = 0;
  const endSection = (end: number) => {
    const section = sections.at(-1);
    if (section) section.text += ` ${textOf(main.slice(begin, end))}`;
  };
  for (const { index, 0: whole, 1: level, 2: id, 3: inner = "" } of main.matchAll(HEADING)) {
    endSection(index);
    begin = index + whole.length;
    const heading = textOf(inner);
    if (level !== "1" && id !== undefined) sections.push({ id: `${path}#${id}`, page, heading, text: "" });
    else begin = index;
  }
  endSection(main.length);
  return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

function textOf(markup: string): string {
  return markup
    .replace(/<(?!\/?(?:a|b|code|em|strong|span)\b)[^>]*>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
      code ? String.fromCodePoint(Number(code)) : (CHARACTERS[name] ?? " "),
    )
    .replace(/\s+/g, " ")
    .trim();
}
