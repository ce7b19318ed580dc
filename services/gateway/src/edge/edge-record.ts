import type { FieldName, Place } from "@geolookup/shared/domain/record.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";
import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";
import { refusalOf } from "./country-rules.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { HEADER_OF } from "./header-presets.ts";
import { headerValue } from "./header-value.ts";

/** About 1 kB each. */
const ENTRIES_PER_GENERATION = 4_096;

/** What the edge port says about a record, whichever address it belongs to. */
export interface EdgeRecord {
  /** Names and values in turn, without the address. */
  headers: readonly string[];
  /** Why the country rules refuse the record; null if they don't. */
  refusal: "rule" | "unknown" | null;
}

/** Computes the headers and the decision of the country rules once per record. Nothing is stored by address. */
export function createEdgeRecords({ preset, fields, rules }: EdgeConfig): (record: RecordText) => EdgeRecord {
  const known = new TwoGenerationMap<string, EdgeRecord>(ENTRIES_PER_GENERATION);
  const compute = (members: string): EdgeRecord => {
    const place: Place = JSON.parse(`{${members}}`);
    return {
      headers: fields
        .filter((field): field is Exclude<FieldName, "ip"> => field !== "ip")
        .flatMap((field) => [HEADER_OF[preset][field] as string, headerValue(preset, field, place[field])]),
      refusal: rules === null ? null : refusalOf(rules, place),
    };
  };
  return ({ members }) => {
    const found = known.refresh(members);
    if (found !== undefined) return found;
    const computed = compute(members);
    known.set(members, computed);
    return computed;
  };
}
