/**
 * @typedef {"name" | "text" | "number" | "word" | "mark"} TokenKind
 * A property name; a string; a number; true, false or null; or anything between them.
 */

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/**
 * Splits JSON text into tokens for syntax highlighting.
 * @param {string} json
 * @returns {{ kind: TokenKind, text: string }[]}
 */
export function jsonTokens(json) {
  /** @type {{ kind: TokenKind, text: string }[]} */
  const tokens = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: "mark", text: json.slice(end, match.index) });
    const [all, string, colon, number] = match;
    if (string !== undefined) {
      tokens.push({ kind: colon === undefined ? "text" : "name", text: string });
      if (colon !== undefined) tokens.push({ kind: "mark", text: colon });
    } else tokens.push({ kind: number === undefined ? "word" : "number", text: all });
    end = match.index + all.length;
  }
  if (end < json.length) tokens.push({ kind: "mark", text: json.slice(end) });
  return tokens;
}

/**
 * A record as JSON text, one field per line, with lists on one line.
 * @param {object} value
 * @returns {string}
 */
export function jsonText(value) {
  const short = /\[\s+("[^"]*"(?:,\s+"[^"]*")*)\s+\]/g;
  return JSON.stringify(value, null, 2).replace(short, (_, items) => `[${items.replace(/\s+/g, " ")}]`);
}
