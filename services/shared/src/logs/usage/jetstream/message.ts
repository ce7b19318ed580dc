import { isDay, isMonth } from "../../../domain/period.ts";
import type { KeyCounts, MonthRecord, UsageSubject } from "../../../domain/usage.ts";
import { SHARD_COUNT } from "../../../domain/usage-shard.ts";

const TYPE = "usage";
const VERSION = 1;
const MONTH_SUBJECT = /^usage-months\.(\d{4})(\d\d)\.(\d{1,3})(?:-\d{1,3})?$/;
const SUBJECT = /^usage\.(\d{4})(\d\d)(\d\d)\.([\w-]+)\.(\d{1,3})(?:-\d{1,3})?$/;
/** The number of a part, behind the shard. */
const PART = /-(\d{1,3})$/;

/** What the counts of a message are about: served requests, or refused ones, which version 0.1 ignores. */
export type CountsProperty = "counts" | "refusals";

/** The content of a message of either stream, or why it is invalid. */
export type UsageMessage =
  | Record<CountsProperty, Map<string, number>>
  | {
      problem: string;
      /** Whether another version of geolookup may be able to read it. */
      foreign: boolean;
    };

/** The NATS subject of an entry: `usage.<YYYYMMDD>.<instanceId>.<shard>`. */
export function natsSubject({ day, instanceId, shard }: UsageSubject): string {
  return `usage.${day.replaceAll("-", "")}.${instanceId}.${shard}`;
}

/** Reads a NATS subject back; null if it isn't valid. */
export function parseNatsSubject(text: string): UsageSubject | null {
  const [, year, month, dayOfMonth, instanceId = "", shard] = SUBJECT.exec(text) ?? [];
  const day = `${year}-${month}-${dayOfMonth}`;
  return isDay(day) && Number(shard) < SHARD_COUNT ? { day, instanceId, shard: Number(shard) } : null;
}

/** The NATS subject of a month's record: `usage-months.<YYYYMM>.<shard>`. */
export function natsMonthSubject({ month, shard }: Omit<MonthRecord, "totals">): string {
  return `usage-months.${month.replace("-", "")}.${shard}`;
}

/** Reads the NATS subject of a month's record back; null if it isn't valid. */
export function parseNatsMonthSubject(text: string): Omit<MonthRecord, "totals"> | null {
  const [, year, number, shard] = MONTH_SUBJECT.exec(text) ?? [];
  const month = `${year}-${number}`;
  return isMonth(month) && Number(shard) < SHARD_COUNT ? { month, shard: Number(shard) } : null;
}

/**
 * The NATS subject of the next part of an entry or a record that is too large for a message: `….<shard>`, `….<shard>-1`, `….<shard>-2`.
 * If several parts have an account, its larger count is valid.
 */
export function nextPart(name: string): string {
  return `${wholeSubject(name)}-${Number(PART.exec(name)?.[1] ?? 0) + 1}`;
}

/** The NATS subject without the number of a part. */
export function wholeSubject(name: string): string {
  return name.replace(PART, "");
}

/** All counts of a subject as a message: JSON, with a format version. */
export function encodeUsageMessage(counts: KeyCounts, property: CountsProperty = "counts"): string {
  return JSON.stringify({ type: TYPE, version: VERSION, counts: {}, [property]: Object.fromEntries(counts) });
}

/** Parses a message. Never throws: a stream may contain anything. */
export function decodeUsageMessage(bytes: Uint8Array): UsageMessage {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let message: unknown;
  try {
    message = JSON.parse(buffer.toString());
  } catch {
    return { problem: "not JSON", foreign: false };
  }
  if (typeof message !== "object" || message === null) return { problem: "not a JSON object", foreign: false };
  const { type, version, counts, refusals = {} } = message as Record<string, unknown>;
  if (type !== TYPE) return { problem: `type is not "${TYPE}"`, foreign: true };
  if (version !== VERSION) return { problem: `version is not ${VERSION}`, foreign: true };
  const read = { counts: readCounts(counts), refusals: readCounts(refusals) };
  if (typeof read.counts === "string") return { problem: read.counts, foreign: false };
  if (typeof read.refusals === "string") return { problem: read.refusals, foreign: false };
  return { counts: read.counts, refusals: read.refusals };
}

/** @returns what is wrong with them, if they are invalid. */
function readCounts(counts: unknown): Map<string, number> | string {
  if (typeof counts !== "object" || counts === null || Array.isArray(counts)) return "counts are missing";
  const read = new Map<string, number>();
  for (const [name, count] of Object.entries(counts)) {
    if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) return "a count is not a whole number";
    read.set(name, count);
  }
  return read;
}
