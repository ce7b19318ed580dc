import { isMonth } from "@geolookup/shared/domain/period.ts";
import { z } from "zod";

/** A text of one line; auth checks the rest. */
export const TEXT = z.string().max(400);

export const MONTH = z
  .string()
  .refine(isMonth, "must be a month, such as 2026-11")
  .meta({ pattern: "^\\d{4}-\\d\\d$" });

/** A time, as auth takes it. */
export const EXPIRY = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be a time, such as 2027-01-01 or 2027-01-01T12:00:00Z")
  .transform((text) => new Date(text).toISOString());

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A duration such as `24h`, in seconds. */
export const DURATION_SECONDS = z
  .string()
  .regex(/^(?:0|\d{1,6}(?:s|m|h|d))$/, "must be a duration, such as 30s, 24h, 30d or 0")
  .transform((text) => Number.parseInt(text, 10) * (SECONDS[text.at(-1) as keyof typeof SECONDS] ?? 0));

/** The query of every list. */
export const CURSOR = {
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  cursor: z.string().max(400).default("").describe("The `next` of the previous page."),
};

export const REASON = z.strictObject({ reason: TEXT.default("").describe("Kept in the history.") });
