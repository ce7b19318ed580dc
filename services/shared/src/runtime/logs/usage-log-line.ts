import { z } from "zod";
import { isDay } from "../../domain/period.ts";
import type { UsageEntry } from "../../domain/usage.ts";
import { SHARD_COUNT } from "../../domain/usage-shard.ts";
import { checkedLine, isCheckedLine } from "./checked-line.ts";

/** The first line of a usage log's file. */
export const USAGE_LOG_HEADER = '{"format":"geolookup usage log","version":1}';

const usageLine = z.strictObject({
  crc32: z.string(),
  day: z.string().refine(isDay, "no day of the calendar"),
  bootId: z.string().regex(/^[\w-]+$/),
  shard: z
    .int()
    .min(0)
    .max(SHARD_COUNT - 1),
  counts: z.record(z.string(), z.int().min(0)),
});

/** One line, without its end. */
export function encodeUsageLine({ subject, counts }: UsageEntry): string {
  const { day, bootId, shard } = subject;
  return checkedLine(JSON.stringify({ day, bootId, shard, counts: Object.fromEntries(counts) }).slice(1));
}

/**
 * Reads a line back.
 * @throws Error saying what is wrong with it.
 */
export function decodeUsageLine(line: Buffer): UsageEntry {
  if (!isCheckedLine(line)) throw new Error("its checksum is wrong");
  const parsed = usageLine.safeParse(JSON.parse(line.toString()));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`it is no usage: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { day, bootId, shard, counts } = parsed.data;
  return { subject: { day, bootId, shard }, counts: new Map(Object.entries(counts)) };
}
