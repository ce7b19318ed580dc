import type { PlaceFields } from "./correction.ts";

/** A line's fields, trimmed; empty where the line ends before them. */
export interface LineFields extends PlaceFields {
  prefix: string;
  /** Whether something stands behind the postal code. */
  hasMore: boolean;
}

const MAX_LINE_CHARACTERS = 1_000;

/** A field of RFC 4180: in quotation marks, doubled within them, or without any. */
const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;

/**
 * The fields of a line of a geofeed (RFC 8805, section 2.1; what is in quotation marks, RFC 4180).
 * @param line without its end.
 * @returns null for a blank line or one with nothing but a comment; what is wrong when it cannot be read.
 */
export function splitLine(line: string): LineFields | string | null {
  if (line.length > MAX_LINE_CHARACTERS) return `it is longer than ${MAX_LINE_CHARACTERS} characters`;
  const comment = line.indexOf("#");
  const text = (comment < 0 ? line : line.slice(0, comment)).trim();
  if (text === "") return null;
  const fields = text.includes('"') ? quotedFields(text) : text.split(",").map((field) => field.trim());
  if (fields === null) return "its quotation marks do not pair, or stand inside a field";
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
