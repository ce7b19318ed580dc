import { parseAllowlistEntry } from "@geolookup/shared/domain/origin.ts";
import { isDay } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";

/** An operator's input in normal form, or the problem with it, for the operator. */
export type Reading<Value> = { value: Value } | { problem: string };

const MAX_TEXT_LENGTH = 200;
const MAX_ORIGINS = 100;
const MAX_PAIRS = 20;
const MAX_VALUE_LENGTH = 256;
const MAX_OVERLAP_SECONDS = 366 * 86_400;
const METADATA_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Later times have another form, which doesn't sort by time. An offset can lead beyond it. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** RFC 3339, or a day. The seconds can be left out. */
const EXPIRY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
/**
 * Control characters, line breaks, and invisible characters that can reverse text in lists and terminals (Unicode's Cf).
 * The two joiners are allowed: emoji, Persian and Hindi need them.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** The name of an existing plan. */
export function readPlan(text: string, planNames: readonly string[]): Reading<string> {
  if (planNames.includes(text)) return { value: text };
  const named = text === "" ? "the plan is missing" : `the plan ${JSON.stringify(text.slice(0, 50))} doesn't exist`;
  return { problem: `${named}; the plans are ${planNames.join(", ")}` };
}

/** A key's label: up to 200 characters without control and invisible characters, trimmed. */
export function readLabel(text: string): Reading<string> {
  return readText("label", text);
}

/** The reason for revoking or disabling a key or customer. The rules are those of a label. */
export function readReason(text: string): Reading<string> {
  return readText("reason", text);
}

/** An origin allowlist: up to 100 entries in normal form, without duplicates. The problem names every invalid entry. */
export function readOrigins(texts: readonly string[]): Reading<string[]> {
  if (texts.length > MAX_ORIGINS)
    return { problem: `an allowlist can have at most ${MAX_ORIGINS} origins, not ${texts.length}` };
  const entries = new Set<string>();
  const reasons: string[] = [];
  for (const text of texts) {
    const parsed = parseAllowlistEntry(text);
    if ("entry" in parsed) entries.add(parsed.entry);
    else reasons.push(parsed.reason);
  }
  return reasons.length === 0 ? { value: [...entries] } : { problem: reasons.join("; ") };
}

/** A time in the future, in the form 2027-01-01T00:00:00.000Z. Also takes a day: its start. Empty: undefined, never. */
export function readExpiry(text: string, nowMs: number): Reading<string | undefined> {
  if (text === "") return { value: undefined };
  const ms = EXPIRY.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    return { problem: "the expiry must be a date or time such as 2027-01-01 or 2027-01-01T12:00:00Z" };
  if (ms > MAX_TIME_MS) return { problem: "the expiry must be before the year 10000" };
  if (ms <= nowMs) return { problem: `the expiry ${new Date(ms).toISOString()} isn't in the future` };
  return { value: new Date(ms).toISOString() };
}

/** How long a rotated key stays valid, in seconds: at most a year. */
export function readOverlap(seconds: number): Reading<number> {
  if (Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS) return { value: seconds };
  return { problem: "the overlap must be from 0 seconds to 366 days" };
}

/** Up to 20 pairs, sorted by name. */
export function readMetadata(pairs: Readonly<Record<string, string>>): Reading<Record<string, string>> {
  const entries = Object.entries(pairs).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length > MAX_PAIRS) return { problem: `a key can have at most ${MAX_PAIRS} metadata pairs` };
  for (const [name, value] of entries) {
    if (!METADATA_NAME.test(name))
      return { problem: "a metadata name has 1 to 64 characters from A-Z, a-z, 0-9, _, . and -" };
    if ([...value].length > MAX_VALUE_LENGTH)
      return { problem: `the metadata ${name} is longer than ${MAX_VALUE_LENGTH} characters` };
    if (FORBIDDEN.test(value))
      return { problem: `the metadata ${name} must be one line without control or invisible characters` };
  }
  return { value: Object.fromEntries(entries) };
}

/** One line of up to 200 characters, trimmed. @param name what it is, for the problem. */
export function readText(name: string, text: string): Reading<string> {
  const value = text.trim();
  if ([...value].length > MAX_TEXT_LENGTH)
    return { problem: `the ${name} is longer than ${MAX_TEXT_LENGTH} characters` };
  if (FORBIDDEN.test(value)) return { problem: `the ${name} must be one line without control or invisible characters` };
  return { value };
}

/** The result of a command: a fact to record, null if nothing changes, or a refusal. */
export type Decision<Fact> = { fact: Fact | null } | { refusal: ServiceError };

/** @throws ServiceError if the input is invalid. */
export function valid<Value>(reading: Reading<Value>): Value {
  if ("problem" in reading) throw invalid(reading.problem);
  return reading.value;
}

export function invalid(message: string): ServiceError {
  return new ServiceError("invalid", message);
}

export function impossible(message: string): ServiceError {
  return new ServiceError("precondition", message);
}
