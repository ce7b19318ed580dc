import type { PlanEntries, PlanEntry } from "./plans.ts";

/** A difference between two versions of the plans. */
export interface PlanDifference {
  plan: string;
  /** `plan`: the whole plan is new or removed. */
  field: keyof PlanEntry | "plan";
  /** Null: not set. */
  old: PlanEntry | string | number | null;
  new: PlanEntry | string | number | null;
}

const FIELDS = ["fields", "monthlyRequests", "perCallerHourly", "perSecond", "burst"] as const;

/** The differences between two versions, both as `planEntries` returns them. */
export function planDifferences(before: PlanEntries, after: PlanEntries): PlanDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((plan): PlanDifference[] => {
    const [old, changed] = [before[plan], after[plan]];
    if (!old || !changed) return [{ plan, field: "plan", old: old ?? null, new: changed ?? null }];
    return FIELDS.filter((field) => old[field] !== changed[field]).map((field) => ({
      ...{ plan, field, old: old[field] ?? null, new: changed[field] ?? null },
    }));
  });
}

/** A difference in a few words: `free: monthlyRequests 100 → 5`. */
export function differenceText({ plan, field, old, new: changed }: PlanDifference): string {
  if (field !== "plan") return `${plan}: ${field} ${old ?? "not set"} → ${changed ?? "not set"}`;
  const entry = JSON.stringify(changed ?? old);
  return changed === null ? `${plan}: removed, was ${entry}` : `${plan}: new, ${entry}`;
}
