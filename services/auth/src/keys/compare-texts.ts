/** `Shop 2` comes before `Shop 10`, and uppercase makes no difference. */
const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });

/** By character: its place in the collator's order, from 1, the same for both cases of a letter. 0 for all that aren't ASCII. */
const RANKS = new Uint8Array(2 ** 16);
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).sort(COLLATOR.compare);
for (const [index, character] of ASCII.entries()) {
  const before = ASCII[index - 1];
  const isSame = before !== undefined && COLLATOR.compare(before, character) === 0;
  RANKS[character.charCodeAt(0)] = isSame ? (RANKS[before.charCodeAt(0)] as number) : index + 1;
}

/**
 * Compares texts in the order in which people expect them. A million usual texts take a fraction of the collator's time, which still
 * compares those with other characters than ASCII, and equal numbers with a different number of zeros.
 */
export function compareTexts(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end) {
    const rank = RANKS[one.charCodeAt(at)];
    if (rank === 0 || rank !== RANKS[other.charCodeAt(at)]) break;
    at += 1;
  }
  const [rank, otherRank] = [rankAt(one, at), rankAt(other, at)];
  if (rank === 0 || otherRank === 0) return COLLATOR.compare(one, other);
  let start = at;
  while (start > 0 && isDigit(one, start - 1)) start -= 1;
  if (isDigit(one, start) && isDigit(other, start)) {
    const [number, otherNumber] = [numberAt(one, start), numberAt(other, start)];
    return number === otherNumber ? COLLATOR.compare(one, other) : number - otherNumber;
  }
  return rank - otherRank;
}

/** -1 at the end. */
function rankAt(text: string, at: number): number {
  return at < text.length ? (RANKS[text.charCodeAt(at)] as number) : -1;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The number that begins there. All that are too large to be exact are the same. */
function numberAt(text: string, start: number): number {
  let number = 0;
  for (let at = start; isDigit(text, at); at += 1) number = 10 * number + text.charCodeAt(at) - 48;
  return number > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : number;
}
