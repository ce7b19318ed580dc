import { fileURLToPath } from "node:url";
import { type Plans, parsePlans } from "@geolookup/shared/domain/plans.ts";

export const DEFAULT_PLANS_FILE = fileURLToPath(new URL("../../../../infra/plans.json", import.meta.url));

/** @throws Error for the operator if the text isn't a valid plans file, or lacks a plan that keys use. */
export function readPlans(text: string, plansInUse: ReadonlyMap<string, number>): Plans {
  const parsed = parsePlans(text);
  if ("problems" in parsed) throw new Error(parsed.problems.join("; "));
  const problem = missingPlans(parsed.plans, plansInUse);
  if (problem !== null) throw new Error(problem);
  return parsed.plans;
}

/** Why plans can't be used: keys or customers have a plan that isn't among them. Null: they can. */
export function missingPlans(plans: Plans, plansInUse: ReadonlyMap<string, number>): string | null {
  const lost = [...plansInUse].filter(([name]) => !plans.has(name));
  if (lost.length === 0) return null;
  const usersOf = (keys: number) => (keys === 0 ? "customers" : `${keys} ${keys === 1 ? "key" : "keys"}`);
  const named = lost.map(([name, keys]) => `${name} (${usersOf(keys)})`).join(", ");
  return (
    `it lacks plans that keys or customers use: ${named}. Add them again, or change the plan of those keys and customers, or revoke the ` +
    "keys first"
  );
}
