import type { Place } from "@geolookup/shared/domain/record.ts";
import { refusalOf } from "./country-rules.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { createHeaderWriter } from "./header-writer.ts";

/** What the edge port says about a record, whichever address it belongs to. */
export interface EdgeRecord {
  /** The lines of its headers, without the address. */
  lines: string;
  /** Why the country rules refuse the record; null if they don't. */
  refusal: "rule" | "unknown" | null;
}

/**
 * Makes the headers of records, for each request. Keeping them for repeated addresses would take more memory than the records.
 * @returns takes the members of a record (record-text.ts).
 */
export function createEdgeRecords({ preset, fields, rules }: EdgeConfig): (members: string) => EdgeRecord {
  const linesOf = createHeaderWriter(preset, fields);
  return (members) => {
    const lines = linesOf(members);
    if (rules === null) return { lines, refusal: null };
    const place: Place = JSON.parse(`{${members}}`);
    return { lines, refusal: refusalOf(rules, place) };
  };
}
