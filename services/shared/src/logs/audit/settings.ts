import { z } from "zod";

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;
const MESSAGE = `must be a number of days from 1 to ${MAX_DAYS}, such as 400d`;

/** 13 months. */
export const DEFAULT_AUDIT_RETENTION_MS = 400 * DAY_MS;

/** How long entries of the audit trail are kept, in milliseconds. */
export const auditRetention = () =>
  z
    .string()
    .regex(/^\d{1,4}d$/, MESSAGE)
    .transform((text) => Number.parseInt(text, 10))
    .refine((days) => days >= 1 && days <= MAX_DAYS, MESSAGE)
    .transform((days) => days * DAY_MS)
    .default(DEFAULT_AUDIT_RETENTION_MS);

/** Whether entries are also written to the standard output, as lines of JSON. */
export const auditLog = () => z.enum(["off", "stdout"], "must be off or stdout").default("off");
