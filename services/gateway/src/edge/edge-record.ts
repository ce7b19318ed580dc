import { FIELDS, type Place } from "@geolookup/shared/domain/record.ts";
import { refusalOf } from "./country-rules.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { HEADER_OF } from "./header-presets.ts";
import { headerValue } from "./header-value.ts";

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
