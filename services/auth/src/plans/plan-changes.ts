import type { PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { FIELDS_OF } from "@geolookup/shared/domain/record.ts";

/** The keys of a plan that a difference affects at once: those whose requests this month are in a range. */
export interface Harm {
  plan: string;
  kind: "quota" | "fields";
  /** The fewest requests of such a key. */
  from: number;
  /** All such keys have fewer. */
  below: number;
}

/**
 * Whom a change may affect at once: keys that are served now and would be over their quota, and keys used this month that would get
 * fewer fields. Lower limits per second or per caller aren't among them: they refuse only bursts.
 */
export function harmsOf(before: Plans, after: Plans): Harm[] {
  return [...before].flatMap(([plan, old]): Harm[] => {
    const changed = after.get(plan);
    if (!changed) return [];
    const quota: Harm = { plan, kind: "quota", from: changed.monthlyRequests, below: old.monthlyRequests };
    const losesFields = FIELDS_OF[old.fields].some((field) => !FIELDS_OF[changed.fields].includes(field));
    return [
      ...(quota.from < quota.below ? [quota] : []),
      ...(losesFields ? [{ plan, kind: "fields" as const, from: 1, below: Number.POSITIVE_INFINITY }] : []),
    ];
  });
}

/** Why a change is held, for the operator. @param keys how many keys it affects at once. */
export function holdText({ plan, kind, from }: Harm, keys: number): string {
  const named = `${keys} ${keys === 1 ? "key" : "keys"} of the plan ${plan}`;
  return kind === "fields"
    ? `${named}, used this month, would get fewer fields`
    : `${named} would be over the new quota of ${from} requests at once`;
}

/**
 * Where a plans file is in the history of the plans. Nodes can see a new file at different times, so a content that was replaced
 * isn't necessarily what the operator wants now.
 * @param hash of the file's plans.
 * @param seen the version of the plans that this node's file had before; null at the start.
 * @returns `new`: the operator changed or reverted it. `replaced`: it is at an earlier version, and catching up.
 */
export function placeOfFile(
  hash: string,
  history: readonly PlansChanged[],
  seen: number | null,
): { kind: "current" | "replaced"; version: number } | { kind: "new" } {
  const isIts = ({ version, data }: PlansChanged) => data.hash === hash && version > (seen ?? 0);
  const found = seen === null ? history.findLast(isIts) : history.find(isIts);
  if (!found) return { kind: "new" };
  return { kind: found.version === history.length ? "current" : "replaced", version: found.version };
}
