import type { Place } from "@geolookup/shared/domain/record.ts";
import { PLACE_FIELDS, valueTexts } from "@geolookup/shared/domain/record-text.ts";
import { refusalOf } from "./country-rules.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { HEADER_OF } from "./header-presets.ts";
import { headerValue } from "./header-value.ts";

/** What the edge port says about a record, whichever address it belongs to. */
export interface EdgeRecord {
  /** The lines of its headers, without the address. */
  lines: string;
  /** Why the country rules refuse the record; null if they don't. */
  refusal: "rule" | "unknown" | null;
}

/**
 * Makes the headers of records, from their text and for each request. Keeping them for repeated addresses would take more
 * memory than the records, to save 3 µs.
 * @returns takes the members of a record (record-text.ts).
 */
export function createEdgeRecords({ preset, fields, rules }: EdgeConfig): (members: string) => EdgeRecord {
  const headers = PLACE_FIELDS.map((field, at) => ({ field, at, start: `${HEADER_OF[preset][field]}: ` })).filter(
    ({ field }) => fields.includes(field),
  );
  return (members) => {
    const texts = valueTexts(members);
    let lines = "";
    for (const { field, at, start } of headers)
      lines += `${start}${headerValue(preset, field, readValue(texts[at]))}\r\n`;
    if (rules === null) return { lines, refusal: null };
    const place: Place = JSON.parse(`{${members}}`);
    return { lines, refusal: refusalOf(rules, place) };
  };
}

/** The value of a JSON text. Numbers and Booleans stay text, as they are sent. */
function readValue(text = "null"): unknown {
  if (text === "null") return null;
  if (text.startsWith('"')) return text.includes("\\") ? JSON.parse(text) : text.slice(1, -1);
  return text.startsWith("[") ? JSON.parse(text) : text;
}
