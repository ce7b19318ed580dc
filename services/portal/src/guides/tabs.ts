import type { Token, Tokens } from "marked";

/** Code blocks with the same example in several languages. */
export interface Tabs {
  type: "tabs";
  raw: string;
  codes: Tokens.Code[];
}

/** Groups adjacent code blocks with titles: "```js Node.js", then "```python Python". */
export function groupTabs(tokens: (Token | Tabs)[]): (Token | Tabs)[] {
  const grouped: (Token | Tabs)[] = [];
  let open: Tabs | null = null;
  for (const token of tokens) {
    if (isTab(token)) {
      if (open === null) {
        open = { type: "tabs", raw: "", codes: [] };
        grouped.push(open);
      }
      open.codes.push(token);
    } else if (token.type !== "space" || open === null) {
      grouped.push(token);
      open = null;
    }
  }
  return grouped;
}

/** The title of a code block; null if it has none. */
export function tabTitle({ lang }: Tokens.Code): string | null {
  return /^\S+\s+(.+)$/.exec(lang?.trim() ?? "")?.[1] ?? null;
}

function isTab(token: Token | Tabs): token is Tokens.Code {
  return token.type === "code" && tabTitle(token as Tokens.Code) !== null;
}
