import { displayKey, MAX_KEY_LENGTH } from "@geolookup/shared/domain/key-shape.ts";

/** Texts with the shape of a key, also in the middle of other text. infra/gitleaks.toml has the same rule. */
const CANDIDATE = /geo_[ps]k_[0-9A-Za-z]{26,226}_[0-9A-Za-z]{22}/g;

/** A text with the shape of a key, and its line, from 1. */
export interface Candidate {
  text: string;
  line: number;
}

/**
 * Finds texts with the shape of a key in a file that arrives in chunks. It keeps only the end of the last chunk.
 * @returns a function that returns the candidates which end in the next chunk.
 */
export function createCandidateFinder(): (chunk: Buffer) => Candidate[] {
  let rest = "";
  let line = 1;
  return (chunk) => {
    // Without NUL, ASCII in UTF-16 is like ASCII.
    const text = rest + chunk.toString("latin1").replaceAll("\0", "");
    const found: Candidate[] = [];
    let at = 0;
    const advance = (to: number) => {
      for (let end = text.indexOf("\n", at); end !== -1 && end < to; end = text.indexOf("\n", end + 1)) line += 1;
      at = to;
    };
    for (const match of text.matchAll(CANDIDATE)) {
      advance(match.index);
      found.push({ text: match[0], line });
    }
    const end = found.length === 0 ? 0 : at + (found.at(-1)?.text.length ?? 0);
    // A key may begin in this chunk and end in the next one.
    advance(Math.max(end, text.length - MAX_KEY_LENGTH));
    rest = text.slice(at);
    return found;
  };
}

/** A text without full keys and without characters that change what a terminal shows. */
export function withoutKeys(text: string): string {
  return text.replace(CANDIDATE, displayKey).replace(/\p{Cc}/gu, "?");
}
