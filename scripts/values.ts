import { InvalidArgumentError } from "commander";

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads `30s`, `5m`, `24h`, `30d` or `0`. @returns seconds; null if the text is invalid. */
export function durationSeconds(text: string): number | null {
  if (text === "0") return 0;
  const [, count, unit = ""] = /^(\d{1,7})([dhms])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? 0);
}

/** Reads `2027-01-01` (the start of that day, UTC) or a time of RFC 3339. @returns RFC 3339, UTC; null if it is neither. */
export function timeOf(text: string): string | null {
  const [, day = ""] = TIME.exec(text) ?? [];
  const atMs = Date.parse(text);
  // Date.parse takes 30 February for 2 March.
  const isDay = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return day !== "" && isDay && Number.isFinite(atMs) ? new Date(atMs).toISOString() : null;
}

/**
 * Reads when something expires: a time, a duration from now, or `never`.
 * @param nowMs Unix time.
 * @returns RFC 3339, UTC; empty for never; null if the text is invalid.
 */
export function expiryOf(text: string, nowMs: number): string | null {
  if (text === "never") return "";
  const seconds = durationSeconds(text);
  return seconds === null ? timeOf(text) : new Date(nowMs + seconds * 1_000).toISOString();
}

export const EXPIRY_FORM = "a date such as 2027-01-01 (UTC), a duration such as 30d, or never";

/** Reads `name=value`. @returns null if there is no name. */
export function pairOf(text: string): [name: string, value: string] | null {
  const at = text.indexOf("=");
  return at < 1 ? null : [text.slice(0, at), text.slice(at + 1)];
}

/** For commander, with what a reader returns null for. */
export function parsed<Value>(read: (text: string) => Value | null, form: string): (text: string) => Value {
  return (text) => {
    const value = read(text);
    if (value === null) throw new InvalidArgumentError(`It must be ${form}.`);
    return value;
  };
}

/** For commander: collects `name=value` of a repeated option or argument. */
export function collectPairs(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const [name, value] = parsed(pairOf, "name=value")(text);
  return { ...previous, [name]: value };
}
