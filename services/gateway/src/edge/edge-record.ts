import type { FieldName, Place } from "@geolookup/shared/domain/record.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";
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
 * Computes the headers and the decision of the country rules once per record, and keeps them as long as a geo service in
 * this process keeps the record. Records from another process are new objects each time. Nothing is stored by address.
 */
export function createEdgeRecords({ preset, fields, rules }: EdgeConfig): (record: RecordText) => EdgeRecord {
  const known = new WeakMap<RecordText, EdgeRecord>();
  const placeFields = fields.filter((field): field is Exclude<FieldName, "ip"> => field !== "ip");
  const compute = (members: string): EdgeRecord => {
    const place: Place = JSON.parse(`{${members}}`);
    const names = HEADER_OF[preset];
    const lines = placeFields
      .map((field) => `${names[field]}: ${headerValue(preset, field, place[field])}\r\n`)
      .join("");
    return { lines, refusal: rules === null ? null : refusalOf(rules, place) };
  };
  return (record) => {
    const found = known.get(record);
    if (found !== undefined) return found;
    const computed = compute(record.members);
    known.set(record, computed);
    return computed;
  };
}
