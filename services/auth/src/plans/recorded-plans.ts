import { randomUUID } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type KeyLog, PLANS_ID, type PlansChanged, VersionConflict } from "@geolookup/shared/domain/key-event.ts";
import { type Plans, planEntries, plansHash, readPlanEntries } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Changes } from "../keys/changes.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";

const FOLLOW_DEADLINE_MS = 5_000;

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
   * Records plans, unless another node records a change first. Resolves when this node has read that.
   * @throws ServiceError `unavailable`; `precondition` while not every process would understand the plans
   */
  append(plans: Plans, by: string): Promise<void>;
}

export function createRecordedPlans(context: {
  registry: KeyRegistry;
  keyLog: Pick<KeyLog, "append">;
  changes: Pick<Changes, "expectUnderstood">;
  clock: Clock;
}): RecordedPlans {
  const { registry, keyLog, changes, clock } = context;
  const history = registry.planChanges;
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
    async append(plans, by) {
      const data = { plans: planEntries(plans), hash: plansHash(plans) };
      await changes.expectUnderstood([{ type: "PlansChanged", data }], by);
      const version = history().length + 1;
      const envelope = { id: randomUUID(), keyId: PLANS_ID, version, at: new Date(clock()).toISOString(), by };
      await keyLog.append({ ...envelope, type: "PlansChanged", data }).catch((error: unknown) => {
        if (!(error instanceof VersionConflict)) throw error;
      });
      if (!(await registry.until(() => history().length >= version, FOLLOW_DEADLINE_MS)))
        throw new ServiceError("unavailable", "auth is behind the key log. Check the plans before you try again");
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
