import { FIELDS, type FieldName, type Place } from "@geolookup/shared/domain/record.ts";
import { refusalOf } from "./country-rules.ts";
import { type EdgeConfig, type EdgePreset, HEADER_OF } from "./edge-config.ts";

/** What the edge port says about a record, whichever address it belongs to. */
export interface EdgeRecord {
  /** Its headers without the address, names and values in turn. */
  headers: string[];
  /** Why the country rules refuse the record; null if they don't. */
  refusal: "rule" | "unknown" | null;
}

/**
 * Makes the headers of records, for each request. Keeping them for repeated addresses would take more memory than the records.
 * @returns takes the members of a record (record-text.ts). Throws SyntaxError if they aren't JSON.
 */
export function createEdgeRecords({ preset, fields, rules }: EdgeConfig): (members: string) => EdgeRecord {
  const columns = FIELDS.flatMap((field) => {
    const name = HEADER_OF[preset][field];
    return field === "ip" || name === undefined || !fields.includes(field) ? [] : [{ field, name }];
  });
  return (members) => {
    const place: Place = JSON.parse(`{${members}}`);
    const headers = columns.flatMap(({ field, name }) => [name, headerValue(preset, field, place[field])]);
    return { headers, refusal: rules === null ? null : refusalOf(rules, place) };
  };
}

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;
/** ISO 3166-1 reserves it for users; Cloudflare also sends it. */
const UNKNOWN_COUNTRY = "XX";
const UNKNOWN = "-";

/**
 * The value of a field in a header: never empty, and without control characters. `geo` percent-encodes UTF-8, so that
 * `decodeURIComponent` returns the text. `cloudflare` has its bytes as they are, as a string with one character per byte,
 * which is how Node writes headers.
 */
export function headerValue(preset: EdgePreset, field: FieldName, value: unknown): string {
  const text = textOf(value).toWellFormed().replace(CONTROL_CHARACTERS, " ").trim();
  if (text === "") return field === "country" ? UNKNOWN_COUNTRY : UNKNOWN;
  return preset === "geo" ? encodeURI(text) : Buffer.from(text, "utf8").toString("latin1");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(",") : String(value);
}
