import { hash } from "node:crypto";
import { z } from "zod";
import { FIELDS, type FieldName, type PlanFields } from "./record.ts";

/** What a plan grants. */
export interface Plan {
  fields: PlanFields;
  /** Requests included per calendar month (UTC). */
  monthlyRequests: number;
  /** Absent if the plan has only a monthly quota. */
  limits?: PlanLimits;
}

/** All plans by name. */
export type Plans = ReadonlyMap<string, Plan>;

/** A plan as in the plans file. */
export interface PlanEntry {
  fields: PlanFields;
  monthlyRequests: number;
  perCallerHourly?: number;
  perSecond?: number;
  burst?: number;
}

/** A plans file's content. */
export type PlanEntries = Record<string, PlanEntry>;

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

const FIELDS_PROBLEM = `fields must be "free", "paid" or a list of field names, among ${FIELDS.join(", ")}`;
const inOrder = (names: readonly FieldName[]) => FIELDS.filter((name) => names.includes(name));

const plan = z
  .strictObject({
    fields: z
      .union([z.enum(["free", "paid"]), z.array(z.enum(FIELDS)).min(1, FIELDS_PROBLEM)], FIELDS_PROBLEM)
      .transform((fields): PlanFields => (typeof fields === "string" ? fields : inOrder(fields))),
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
  .transform(({ fields, monthlyRequests, ...limits }): Plan => {
    if (limits.perSecond === undefined && limits.perCallerHourly === undefined) return { fields, monthlyRequests };
    return { fields, monthlyRequests, limits: limitsOf(limits) };
  });
const plansSchema = z
  .record(planName, plan)
  .refine((plans) => Object.keys(plans).length > 0, "there must be at least one plan");

/**
 * Parses a plans file:
 * `{"free": {"fields": "free", "monthlyRequests": 10000}, …}`, `fields` as in PlanFields, each optionally with `perCallerHourly`, `perSecond` and `burst`.
 * @returns the plans, or every problem as a sentence.
 */
export function parsePlans(text: string): { plans: Plans } | { problems: string[] } {
  try {
    return readPlanEntries(JSON.parse(text));
  } catch (error) {
    return { problems: [`it is not JSON: ${(error as Error).message}`] };
  }
}

/** The same for a parsed file. */
export function readPlanEntries(json: unknown): { plans: Plans } | { problems: string[] } {
  const parsed = plansSchema.safeParse(json);
  if (parsed.success) return { plans: new Map(Object.entries(parsed.data)) };
  return { problems: parsed.error.issues.map(describe) };
}

/** The limits of a plan in a plans file, besides its quota. */
export function limitsOf({
  perCallerHourly,
  perSecond,
  burst,
}: Partial<Record<"perCallerHourly" | "perSecond" | "burst", number | undefined>>): PlanLimits {
  return {
    perCallerHourly: perCallerHourly ?? null,
    rate: perSecond === undefined ? null : { perSecond, burst: burst ?? perSecond },
  };
}

/** Plans as in a plans file, in its order, which the demo keys depend on. Each is in the same form however it was written. */
export function planEntries(plans: Plans): PlanEntries {
  const entries = [...plans].map(([name, { fields, monthlyRequests, limits }]) => {
    const entry: PlanEntry = { fields, monthlyRequests };
    if (limits?.perCallerHourly) entry.perCallerHourly = limits.perCallerHourly;
    if (limits?.rate) Object.assign(entry, limits.rate);
    return [name, entry] as const;
  });
  return Object.fromEntries(entries);
}

/** Identifies plans, whatever the format and the order of their file: 16 hexadecimal digits. */
export function plansHash(plans: Plans): string {
  const entries = Object.entries(planEntries(plans)).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(entries)).slice(0, 16);
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? "" : `${issue.path.map((part) => JSON.stringify(part)).join(".")}: `;
  if (issue.code === "invalid_key") return `${where}${issue.issues[0]?.message}`;
  return `${where}${issue.message}`;
}

/** A token bucket's size and fill rate: `burst` requests at once, `perSecond` a second on average. */
export interface KeyRate {
  perSecond: number;
  burst: number;
}

/** A plan's limits besides its monthly quota, for publishable keys. Exceeding one returns 429 `rate_limited`. */
export interface PlanLimits {
  /** Requests an hour for each caller of one key; null: not limited. */
  perCallerHourly: number | null;
  /** Requests a second for each key, at one gateway; null: not limited. */
  rate: KeyRate | null;
}

/** The fields of a plan for people: `paid`, or `country, city`. */
export function fieldsText(fields: PlanFields): string {
  return typeof fields === "string" ? fields : fields.join(", ");
}

/** Whether any plan has limits besides its quota. */
export function hasLimits(plans: Plans): boolean {
  return [...plans.values()].some(({ limits }) => limits !== undefined);
}

/** A short description of the limits, e.g. `100 an hour per caller, 10 a second (burst 20)`. */
export function limitsText({ perCallerHourly, rate }: PlanLimits): string {
  const number = (value: number) => value.toLocaleString("en");
  const parts: string[] = [];
  if (perCallerHourly !== null) parts.push(`${number(perCallerHourly)} an hour per caller`);
  if (rate !== null) {
    const burst = rate.burst === rate.perSecond ? "" : ` (burst ${number(rate.burst)})`;
    parts.push(`${number(rate.perSecond)} a second${burst}`);
  }
  return parts.join(", ");
}

/** A difference between two versions of the plans. */
export interface PlanDifference {
  plan: string;
  /** `plan`: the whole plan is new or removed. */
  field: keyof PlanEntry | "plan";
  /** Null: not set. */
  old: PlanEntry | PlanFields | number | null;
  new: PlanEntry | PlanFields | number | null;
}

const PROPERTIES = ["fields", "monthlyRequests", "perCallerHourly", "perSecond", "burst"] as const;

/** The differences between two versions, both as `planEntries` returns them. */
export function planDifferences(before: PlanEntries, after: PlanEntries): PlanDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((plan): PlanDifference[] => {
    const [old, changed] = [before[plan], after[plan]];
    if (!old || !changed) return [{ plan, field: "plan", old: old ?? null, new: changed ?? null }];
    return PROPERTIES.filter((field) => String(old[field]) !== String(changed[field])).map((field) => ({
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
