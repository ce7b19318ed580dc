/** A phrase that texts and code must not contain. */
export interface Phrase {
  /** As the list has it. */
  text: string;
  /** Finds it anywhere in a text. */
  pattern: RegExp;
  /** What to write instead. */
  instead: string;
}

/** A place where a text contains a phrase. */
export interface Hit {
  /** Counted from 1. */
  line: number;
  /** The text as found, on one line. */
  found: string;
  phrase: Phrase;
}

/** A space in a pattern: any white space, and the comment marker that starts the next line. */
const GAP = String.raw`(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:\*|//+|#+|>)[^\S\n]+)?)`;
const REGULAR_EXPRESSION = /^\/(.+)\/(i?)$/;

/**
 * Reads a list of phrases: one per line, `phrase => what to write instead`; lines that start with # are comments.
 * @throws Error for a line that has no `=>`.
 */
export function parsePhrases(list: string): Phrase[] {
  return list.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const separator = line.lastIndexOf(" => ");
    if (separator < 0) throw new Error(`line ${index + 1} has no "=>": ${line}`);
    const text = line.slice(0, separator);
    return [{ text, pattern: toPattern(text), instead: line.slice(separator + 4) }];
  });
}

/** Finds every phrase in a text, in the order of the lines. */
export function findPhrases(phrases: readonly Phrase[], text: string): Hit[] {
  return phrases
    .flatMap((phrase) =>
      [...text.matchAll(phrase.pattern)].map((match) => ({
        line: text.slice(0, match.index).split("\n").length,
        found: match[0].replace(/\s+/g, " ").trim(),
        phrase,
      })),
    )
    .sort((left, right) => left.line - right.line);
}

/** Blanks the first cell of each table row: in a table of renamed things, it has the old name. */
export function withoutFirstCells(markdown: string): string {
  return markdown.replace(/^\|[^|\n]*\|/gm, "||");
}

function toPattern(text: string): RegExp {
  const [, source, flags = ""] = REGULAR_EXPRESSION.exec(text) ?? [];
  if (source) return new RegExp(source.replaceAll(" ", GAP), `g${flags}`);
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", GAP);
  return new RegExp(String.raw`\b${escaped}\b`, "gi");
}
