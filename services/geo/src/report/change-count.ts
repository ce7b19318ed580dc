import { type Amount, type Changes, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { type Answer, valueAt } from "./answers.ts";
import { count, none } from "./families.ts";

/** What changed from older to newer data, over the networks of one family. Null: nothing known. */
export interface ChangeCount {
  add(before: Answer | null, after: Answer | null, addresses: number): void;
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
      for (const [index, amount] of fields.entries()) {
        const isSame = (before ? valueAt(before, index) : 0) === (after ? valueAt(after, index) : 0);
        if (isSame) continue;
        isChanged = true;
        count(amount, addresses);
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
