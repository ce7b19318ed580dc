import { customerEventId } from "@geolookup/shared/domain/key-event.ts";
import { periodAt, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { grantedFields } from "@geolookup/shared/domain/record.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import type { IssuedKey } from "../keys/issued-key.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";

/** The keys of a plan that a difference affects: those whose requests in a month are in a range. */
export interface Harm {
  plan: string;
  kind: "quota" | "fields";
  month: "this" | "last";
  /** The fewest requests of such a key. */
  from: number;
  /** All such keys have fewer. */
  below: number;
}

/**
 * Whom a change may affect: keys that are served now and would be over their quota, keys whose requests last month are more than the new
 * quota, and keys used in either month that would get fewer fields. Last month counts so that a file that is held doesn't take effect
 * when auth restarts after the end of the month. Lower limits per second or per caller aren't among them: they refuse only bursts.
 */
export function harmsOf(before: Plans, after: Plans): Harm[] {
  return [...before].flatMap(([plan, old]): Harm[] => {
    const changed = after.get(plan);
    if (!changed) return [];
    const remaining = grantedFields(changed.fields);
    const losesFields = grantedFields(old.fields).some((field) => !remaining.includes(field));
    const quota = changed.monthlyRequests;
    const below = Number.POSITIVE_INFINITY;
    const harms: Harm[] = [];
    if (quota < old.monthlyRequests)
      harms.push(
        { plan, kind: "quota", month: "this", from: quota, below: old.monthlyRequests },
        { plan, kind: "quota", month: "last", from: quota + 1, below },
      );
    if (losesFields)
      for (const month of ["this", "last"] as const) harms.push({ plan, kind: "fields", month, from: 1, below });
    return harms;
  });
}

/** Why a change is held, for the operator. @param keys how many keys it affects. */
export function holdText({ plan, kind, month, from }: Harm, keys: number): string {
  const named = `${keys} ${keys === 1 ? "key" : "keys"} of the plan ${plan}`;
  if (kind === "fields") return `${named}, used ${month} month, would get fewer fields`;
  return month === "this"
    ? `${named} would be over the new quota of ${from} requests at once`
    : `${named} had more requests last month than the new quota of ${from - 1}`;
}

/** How many active keys each harm concerns now. @throws ServiceError `unavailable` while that isn't known. */
export async function countKeys(
  harms: readonly Harm[],
  context: { registry: KeyRegistry; keyUsage: KeyUsage | null; nowMs: number },
): Promise<number[]> {
  const { registry, keyUsage, nowMs } = context;
  // A quota of 0 concerns keys without requests too.
  const counts = harms.map(({ plan, from }) => (from === 0 ? (registry.plansInUse().get(plan) ?? 0) : 0));
  const concerned = harms.filter(({ plan, from }) => from > 0 && registry.plansInUse().has(plan));
  if (concerned.length === 0) return counts;
  if (!keyUsage)
    throw new ServiceError("unavailable", "auth doesn't know which keys are used, because USAGE_URL isn't set");
  const { month } = periodAt(nowMs);
  const months = { this: month, last: previousMonth(month) };
  try {
    for (const [name, group] of Map.groupBy(concerned, (harm) => harm.month)) {
      const count = (harm: Harm, keys: number) => {
        const index = harms.indexOf(harm);
        counts[index] = (counts[index] ?? 0) + keys;
      };
      const countQuota = (plan: string, total: number, keys: number) => {
        for (const harm of group)
          if (harm.kind === "quota" && harm.plan === plan && total >= harm.from && total < harm.below)
            count(harm, keys);
      };
      const shared = new Map<string, { plan: string; total: number; keys: number }>();
      for await (const totals of keyUsage.usedKeys(months[name], 1))
        for (const [keyId, total] of totals) {
          const key = registry.byId(keyId);
          if (key?.status !== "active") continue;
          for (const harm of group) if (harm.kind === "fields" && harm.plan === key.plan) count(harm, 1);
          const quota = sharedQuotaOf(key, registry);
          if (quota === undefined) countQuota(key.plan, total, 1);
          else if (quota !== null) {
            const before = shared.get(quota.id) ?? { total: 0, keys: 0 };
            shared.set(quota.id, { plan: quota.plan, total: before.total + total, keys: before.keys + 1 });
          }
        }
      for (const { plan, total, keys } of shared.values()) countQuota(plan, total, keys);
    }
  } catch (cause) {
    const text = "usage is unavailable, so auth doesn't know which keys the change affects";
    throw new ServiceError("unavailable", text, { cause });
  }
  return counts;
}

/**
 * The quota that a key shares with others, by its customer or by rotations, and the plan that sets it.
 * @returns undefined if the key has its own quota; null if no plan sets the shared one.
 */
function sharedQuotaOf(key: IssuedKey, registry: KeyRegistry): { id: string; plan: string } | null | undefined {
  if (key.customer !== undefined) {
    const customer = registry.customer(key.customer);
    return customer && customer.monthlyRequests === undefined
      ? { id: customerEventId(key.customer), plan: customer.plan }
      : null;
  }
  const { rotationRoot, rotatedTo, keyId, plan } = key;
  return rotationRoot === undefined && rotatedTo === undefined ? undefined : { id: rotationRoot ?? keyId, plan };
}
