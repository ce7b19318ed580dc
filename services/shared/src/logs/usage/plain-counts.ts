const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const CLOSING_BRACE = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;

/** More digits may exceed the safe integers. */
const MAX_DIGITS = 15;

/**
 * Writes counts as the members of a JSON object. Several times as fast as JSON.stringify: a flush writes thousands of counts, and
 * an object with that many names is slow to build.
 */
export function writeCounts(counts: ReadonlyMap<string, number>): string {
  let text = "";
  for (const [keyId, count] of counts) text += `${text === "" ? "" : ","}${JSON.stringify(keyId)}:${count}`;
  return text;
}

/**
 * Parses the output of `writeCounts`, from an offset up to the closing brace, in a fraction of the time that JSON.parse
 * takes.
 * @returns null for anything else, even valid JSON: names with escapes or beyond ASCII, white space, numbers with a
 *   sign, point or exponent, or text after the braces that close the counts and the message.
 */
export function readCounts(bytes: Buffer, offset: number): Map<string, number> | null {
  const counts = new Map<string, number>();
  let at = offset;
  while (bytes[at] === QUOTE) {
    const start = at + 1;
    at = endOfName(bytes, start);
    if (bytes[at] !== QUOTE || bytes[at + 1] !== COLON) return null;
    // Not a slice of a longer string: the name would keep that string in memory.
    const keyId = bytes.toString("latin1", start, at);
    const firstDigit = at + 2;
    let count = 0;
    for (at = firstDigit; isDigit(bytes[at]); at += 1) count = 10 * count + (bytes[at] as number) - ZERO;
    const digits = at - firstDigit;
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[firstDigit] === ZERO)) return null;
    counts.set(keyId, count);
    if (bytes[at] !== COMMA) break;
    at += 1;
    if (bytes[at] !== QUOTE) return null;
  }
  const isWhole = bytes[at] === CLOSING_BRACE && bytes[at + 1] === CLOSING_BRACE && at + 2 === bytes.length;
  return isWhole ? counts : null;
}

/** The position of the first byte that isn't part of a plain name. */
function endOfName(bytes: Buffer, start: number): number {
  let at = start;
  for (let byte = bytes[at]; byte !== undefined && isPlain(byte); byte = bytes[at]) at += 1;
  return at;
}

/** Printable ASCII without JSON escapes. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
