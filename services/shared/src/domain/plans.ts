import { z } from "zod";
import type { PlanLimits } from "./plan-limits.ts";
import type { FieldSet } from "./record.ts";

/** What a plan grants. */
export interface Plan {
  fields: FieldSet;
  /** Requests included per calendar month (UTC). */
  monthlyRequests: number;
  /** Absent if the plan has only a monthly quota. */
  limits?: PlanLimits;
}

/** All plans by name. */
export type Plans = ReadonlyMap<string, Plan>;

const planName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    "a plan's name is 1 to 32 of a-z, 0-9, _ and -, and starts with a letter or digit",
  );

/** Far more than one gateway can serve: a larger number is a mistake. */
const MAX_LIMIT = 1_000_000;
const limit = (name: string) => {
  const problem = `${name} must be a whole number from 1 to ${MAX_LIMIT}`;
  return z.int(problem).min(1, problem).max(MAX_LIMIT, problem).optional();
};

const plan = z
  .strictObject({
    fields: z.enum(["free", "paid"], 'fields must be "free" or "paid"'),
    monthlyRequests: z
      .int("monthlyRequests must be a whole number, 0 or more")
      .nonnegative("monthlyRequests must be a whole number, 0 or more"),
    perCallerHourly: limit("perCallerHourly"),
    perSecond: limit("perSecond"),
    burst: limit("burst"),
  })
  .refine(({ perSecond, burst }) => perSecond !== undefined || burst === undefined, {
    path: ["burst"],
    message: "burst requires perSecond",
  })
  .transform(({ fields, monthlyRequests, perCallerHourly, perSecond, burst }): Plan => {
    const rate = perSecond === undefined ? null : { perSecond, burst: burst ?? perSecond };
    if (rate === null && perCallerHourly === undefined) return { fields, monthlyRequests };
    return { fields, monthlyRequests, limits: { perCallerHourly: perCallerHourly ?? null, rate } };
  });
const plansSchema = z
  .record(planName, plan)
  .refine((plans) => Object.keys(plans).length > 0, "there must be at least one plan");

/**
 * Parses a plans file:
 * `{"free": {"fields": "free", "monthlyRequests": 10000}, …}`, each optionally with `perCallerHourly`, `perSecond` and `burst`.
 * @returns the plans, or every problem as a sentence.
 */
export function parsePlans(text: string): { plans: Plans } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [`it is not JSON: ${(error as Error).message}`] };
  }
  const parsed = plansSchema.safeParse(json);
  if (parsed.success) return { plans: new Map(Object.entries(parsed.data)) };
  return { problems: parsed.error.issues.map(describe) };
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? "" : `${issue.path.map((part) => JSON.stringify(part)).join(".")}: `;
  if (issue.code === "invalid_key") return `${where}${issue.issues[0]?.message}`;
  return `${where}${issue.message}`;
}
