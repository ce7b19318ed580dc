import { z } from "zod";
import { isDay, isMonth } from "../../../domain/period.ts";
import type { KeyCounts, MonthRecord, UsageEntry } from "../../../domain/usage.ts";
import { SHARD_COUNT } from "../../../domain/usage-shard.ts";
import { checkedLine, isCheckedLine, parseCheckedLine } from "../../files/log-file.ts";

/** The first line of a usage log's file. */
export const USAGE_LOG_HEADER = '{"format":"geolookup usage log","version":1}';

/** The content of a line of a usage log's file. */
export type UsageLine = UsageEntry | MonthRecord;

const shard = z
  .int()
  .min(0)
  .max(SHARD_COUNT - 1);
const counts = z.record(z.string(), z.int().min(0));
const entryLine = z.strictObject({
  crc32: z.string(),
  day: z.string().refine(isDay, "not a valid day"),
  bootId: z.string().regex(/^[\w-]+$/),
  shard,
  counts,
});
const monthLine = z.strictObject({
  crc32: z.string(),
  month: z.string().refine(isMonth, "not a valid month"),
  shard,
  totals: counts,
});

export function isMonthRecord(line: UsageLine): line is MonthRecord {
  return "totals" in line;
}

/** The counts of either kind of line. */
export function countsOf(line: UsageLine): KeyCounts {
  return isMonthRecord(line) ? line.totals : line.counts;
}

/** The same line with other counts. */
export function withCounts(line: UsageLine, counts: KeyCounts): UsageLine {
  return isMonthRecord(line) ? { ...line, totals: counts } : { ...line, counts };
}

/** One line, without its newline. */
export function encodeUsageLine(line: UsageLine): string {
  return checkedLine(isMonthRecord(line) ? monthBody(line) : entryBody(line));
}

/** Parses a line, without its newline. @throws Error saying what is wrong with it. */
export function decodeUsageLine(line: Buffer): UsageLine {
  if (!isCheckedLine(line)) throw new Error("its checksum is wrong");
  const value = parseCheckedLine(line);
  if (Object.hasOwn(value, "month")) {
    const { month, shard, totals } = parse(monthLine, value);
    return { month, shard, totals: new Map(Object.entries(totals)) };
  }
  const { day, bootId: instanceId, shard, counts } = parse(entryLine, value);
  return { subject: { day, instanceId, shard }, counts: new Map(Object.entries(counts)) };
}

function entryBody({ subject: { day, instanceId, shard }, counts }: UsageEntry): string {
  return bodyOf({ day, bootId: instanceId, shard, counts: Object.fromEntries(counts) });
}

function monthBody({ month, shard, totals }: MonthRecord): string {
  return bodyOf({ month, shard, totals: Object.fromEntries(totals) });
}

/** An object's text after its opening brace. */
function bodyOf(object: object): string {
  return JSON.stringify(object).slice(1);
}

function parse<Form extends z.ZodType>(form: Form, value: unknown): z.infer<Form> {
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`not a usage entry: ${issue?.path.join(".")}: ${issue?.message}`);
}
