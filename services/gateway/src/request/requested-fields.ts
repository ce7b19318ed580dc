import type { FieldSet } from "@geolookup/shared/domain/record.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";

/**
 * The names asked for with `fields`, repeated parameters joined.
 * @returns null when nothing was asked for: all the plan's fields.
 */
export function requestedFields(query: URLSearchParams | null): ReadonlySet<string> | null {
  if (query === null) return null;
  const names = query
    .getAll("fields")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? null : new Set(names);
}

/** Whether the place lacks something the field set grants. Of the whole place, whatever `fields` narrows the answer to. */
export function isPartial(record: RecordText, fieldSet: FieldSet): boolean {
  return fieldSet === "paid" ? record.partialPaid : record.partialFree;
}

/**
 * The answer's JSON: the plan's fields, narrowed to the requested ones, in the contract's order (2.1).
 * @param ip canonical.
 */
export function answerText(
  ip: string,
  record: RecordText,
  fieldSet: FieldSet,
  requested: ReadonlySet<string> | null,
): string {
  const { members, freeLength } = record;
  const granted = fieldSet === "paid" ? `"ip":"${ip}",${members}` : members.slice(0, freeLength);
  const partial = isPartial(record, fieldSet);
  if (requested !== null) return narrowed(granted, requested, partial);
  return partial ? `{${granted},"partial":true}` : `{${granted}}`;
}

function narrowed(granted: string, requested: ReadonlySet<string>, partial: boolean): string {
  const all = Object.entries(JSON.parse(`{${granted}}`));
  const answer = Object.fromEntries(all.filter(([name]) => requested.has(name)));
  return JSON.stringify(partial ? { ...answer, partial } : answer);
}
