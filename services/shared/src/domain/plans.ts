import { z } from "zod";
import type { FieldSet } from "./record.ts";

/** What a plan grants. */
export interface Plan {
  fields: FieldSet;
  /** Requests included per calendar month (UTC). */
  monthlyRequests: number;
}

/** Every plan by its name. */
export type Plans = ReadonlyMap<string, Plan>;

const planName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    "a plan's name is 1 to 32 of a-z, 0-9, _ and -, and starts with a letter or digit",
  );
const plan = z.strictObject({
  fields: z.enum(["free", "paid"], 'fields must be "free" or "paid"'),
  monthlyRequests: z
    .int("monthlyRequests must be a whole number from 0")
    .nonnegative("monthlyRequests must be a whole number from 0"),
});
const plansSchema = z
  .record(planName, plan)
  .refine((plans) => Object.keys(plans).length > 0, "there must be at least one plan");

/**
 * Reads the text of a plans file (design, section 9):
 * `{"free": {"fields": "free", "monthlyRequests": 10000}, …}`.
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
