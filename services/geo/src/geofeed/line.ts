import type { PlaceFields } from "./correction.ts";

/** A line's fields, trimmed; empty if missing. */
export interface LineFields extends PlaceFields {
  prefix: string;
  /** Whether there is anything after the postal code. */
  hasMore: boolean;
}

const MAX_LINE_CHARACTERS = 1_000;

/** The end of a line, as any system writes it: Excel for Mac writes CR alone. */
export const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** A field of RFC 4180: quoted, with inner quotes doubled, or unquoted. */
const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;

/**
 * The fields of a geofeed line (RFC 8805, section 2.1; quoting as in RFC 4180).
 * @param line without the line break.
 * @returns null for blank lines and comments; what is wrong if the line is invalid.
 */
export function splitLine(line: string): LineFields | string | null {
  if (line.length > MAX_LINE_CHARACTERS) return `it is longer than ${MAX_LINE_CHARACTERS} characters`;
  const comment = line.indexOf("#");
  const text = (comment < 0 ? line : line.slice(0, comment)).trim();
  if (text === "") return null;
  const fields = text.includes('"') ? quotedFields(text) : text.split(",").map((field) => field.trim());
  if (fields === null) return "its quotation marks are unbalanced or inside a field";
  const [prefix = "", country = "", region = "", city = "", postalCode = "", ...more] = fields;
  return { prefix, country, region, city, postalCode, hasMore: more.some((field) => field !== "") };
}

function quotedFields(text: string): string[] | null {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (;;) {
    const match = FIELD.exec(text);
    if (match === null) return null;
    const [, quoted, plain = "", end] = match;
    fields.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    if (end === "") return fields;
  }
}
