import { type Amount, type Changes, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { count, none } from "./families.ts";
import { type LookupResult, valueAt } from "./lookup-result.ts";

/** What changed from older to newer data, over the networks of one family. Null: nothing known. */
export interface ChangeCount {
  add(before: LookupResult | null, after: LookupResult | null, addresses: number): void;
  result(): Changes["all"]["ipv4"];
}

export function createChangeCount(): ChangeCount {
  const total = none();
  const changed = none();
  const fields = REPORT_FIELDS.map((): Amount => none());
  return {
    add(before, after, addresses) {
      count(total, addresses);
      let isChanged = false;
      for (let index = 0; index < fields.length; index++) {
        const was = before === null ? 0 : valueAt(before, index);
        const is = after === null ? 0 : valueAt(after, index);
        if (was === is) continue;
        isChanged = true;
        count(fields[index] as Amount, addresses);
      }
      if (isChanged) count(changed, addresses);
    },
    result: () => ({
      total,
      changed,
      fields: Object.fromEntries(REPORT_FIELDS.map((name, index) => [name, fields[index]])) as Record<
        (typeof REPORT_FIELDS)[number],
        Amount
      >,
    }),
  };
}
