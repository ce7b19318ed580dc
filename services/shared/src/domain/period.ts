import type { Clock } from "./clock.ts";
import type { Day, Month } from "./usage.ts";

const DAY_MS = 86_400_000;

/** The UTC day and month of an instant: quotas and usage are by calendar month. */
export interface Period {
  readonly day: Day;
  /** 1 to 31. */
  readonly dayOfMonth: number;
  readonly month: Month;
  /** When the month ends and its quota resets: the 1st of the next month, 00:00 UTC. */
  readonly resetUnixSeconds: number;
  readonly dayStartMs: number;
  readonly dayEndMs: number;
}

/** The period of an instant, in milliseconds since the Unix epoch. */
export function periodAt(nowMs: number): Period {
  const dayStartMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const start = new Date(dayStartMs);
  const day = start.toISOString().slice(0, 10);
  return {
    day,
    dayOfMonth: start.getUTCDate(),
    month: monthOf(day),
    resetUnixSeconds: Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) / 1000,
    dayStartMs,
    dayEndMs: dayStartMs + DAY_MS,
  };
}

/** Returns the current period. Computed once a day, since every request needs it. */
export function createCalendar(clock: Clock): () => Period {
  let current = periodAt(clock());
  return () => {
    const nowMs = clock();
    if (nowMs < current.dayStartMs || nowMs >= current.dayEndMs) current = periodAt(nowMs);
    return current;
  };
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

/** A day of a month, by its number (1 to 31). */
export function dayOf(month: Month, dayOfMonth: number): Day {
  return `${month}-${String(dayOfMonth).padStart(2, "0")}`;
}

export function previousMonth(month: Month): Month {
  return monthsBefore(month, 1);
}

/** The month `count` months before another. */
export function monthsBefore(month: Month, count: number): Month {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 - count, 1)).toISOString().slice(0, 7);
}

/** Daily usage is kept for the current month and this many before it. */
export const KEPT_MONTHS = 13;

/** Usage keeps a key's requests by hour for this many hours, including the current one. */
export const KEPT_HOURS = 48;

/** The oldest month whose usage is kept at an instant, in milliseconds since the Unix epoch. */
export function oldestKeptMonth(nowMs: number): Month {
  return monthsBefore(periodAt(nowMs).month, KEPT_MONTHS);
}

/** Whether a text is a month as `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** Whether a text is a day of the calendar as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
