import { PLANS_ID, type PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import { type Plans, planEntries, plansHash, readPlanEntries } from "@geolookup/shared/domain/plans.ts";
import type { Changes } from "../keys/changes.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";

/** The plans in the key log. */
export interface RecordedPlans {
  /** All changes, oldest first. */
  history(): readonly PlansChanged[];
  last(): PlansChanged | undefined;
  /** The plans of a change. The authorizer compares them by identity. */
  plansOf(change: PlansChanged): Plans;
  /** Whether the last change has the same plans. */
  isCurrent(plans: Plans): boolean;
  /**
   * Records plans, and resolves when this node has read them.
   * @param isWanted called before each attempt: another node can have recorded a change since the one before.
   * @throws ServiceError `unavailable`; `conflict`; `precondition` while not every process would understand the plans
   */
  append(plans: Plans, by: string, isWanted: () => boolean): Promise<void>;
}

export function createRecordedPlans(
  { planChanges: history }: Pick<KeyRegistry, "planChanges">,
  changes: Pick<Changes, "make">,
): RecordedPlans {
  const last = () => history().at(-1);
  const parsed = new WeakMap<PlansChanged, Plans>();
  return {
    history,
    last,
    plansOf(change) {
      let plans = parsed.get(change);
      if (!plans) {
        const read = readPlanEntries(change.data.plans);
        if ("problems" in read) throw new Error(`change ${change.version} of the plans is invalid`);
        plans = read.plans;
        parsed.set(change, plans);
      }
      return plans;
    },
    isCurrent: (plans) => last()?.data.hash === plansHash(plans),
    append(plans, by, isWanted) {
      const fact = { type: "PlansChanged", data: { plans: planEntries(plans), hash: plansHash(plans) } } as const;
      return changes.make(PLANS_ID, () => ({ fact: isWanted() ? fact : null }), by);
    },
  };
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
